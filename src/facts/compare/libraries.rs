//! Libraries of templates in headers that launch kernels of their own, CUB and Thrust: what of them launches.

use crate::source::Symbol;

/// A library of templates in headers.
pub(super) struct Library {
    pub namespace: &'static str,
    /// Whether calls of a name in the namespace launch kernels, or of members of a class of that name.
    pub launches: fn(&str) -> bool,
    /// The names are those of classes, and their members are called.
    pub has_members: bool,
}

pub(super) static LIBRARIES: [Library; 2] = [
    Library {
        namespace: "cub",
        launches: |name| name.starts_with("Device") || name.starts_with("Dispatch"),
        has_members: true,
    },
    Library {
        namespace: "thrust",
        launches: |name| ALGORITHMS.binary_search(&name).is_ok(),
        has_members: false,
    },
];

/// Thrust's algorithms: the functions of CCCL 3's public headers that take an execution policy, without those for memory;
/// and its vectors, which launch a kernel to fill what they allocate.
const ALGORITHMS: [&str; 91] = [
    "adjacent_difference",
    "all_of",
    "any_of",
    "binary_search",
    "copy",
    "copy_if",
    "copy_n",
    "count",
    "count_if",
    "device_vector",
    "equal",
    "equal_range",
    "exclusive_scan",
    "exclusive_scan_by_key",
    "fill",
    "fill_n",
    "find",
    "find_if",
    "find_if_not",
    "for_each",
    "for_each_n",
    "gather",
    "gather_if",
    "generate",
    "generate_n",
    "inclusive_scan",
    "inclusive_scan_by_key",
    "inner_product",
    "is_partitioned",
    "is_sorted",
    "is_sorted_until",
    "lower_bound",
    "max_element",
    "merge",
    "merge_by_key",
    "min_element",
    "minmax_element",
    "mismatch",
    "none_of",
    "partition",
    "partition_copy",
    "partition_point",
    "reduce",
    "reduce_by_key",
    "remove",
    "remove_copy",
    "remove_copy_if",
    "remove_if",
    "replace",
    "replace_copy",
    "replace_copy_if",
    "replace_if",
    "reverse",
    "reverse_copy",
    "scatter",
    "scatter_if",
    "sequence",
    "set_difference",
    "set_difference_by_key",
    "set_intersection",
    "set_intersection_by_key",
    "set_symmetric_difference",
    "set_symmetric_difference_by_key",
    "set_union",
    "set_union_by_key",
    "shuffle",
    "shuffle_copy",
    "sort",
    "sort_by_key",
    "stable_partition",
    "stable_partition_copy",
    "stable_sort",
    "stable_sort_by_key",
    "swap_ranges",
    "tabulate",
    "transform",
    "transform_exclusive_scan",
    "transform_if",
    "transform_inclusive_scan",
    "transform_reduce",
    "uninitialized_copy",
    "uninitialized_copy_n",
    "uninitialized_fill",
    "uninitialized_fill_n",
    "unique",
    "unique_by_key",
    "unique_by_key_copy",
    "unique_copy",
    "unique_count",
    "universal_vector",
    "upper_bound",
];

/// Whether a name is that of a library's namespace.
pub(super) fn is_namespace(name: Symbol) -> bool {
    LIBRARIES.iter().any(|library| library.namespace == name.as_str())
}

#[cfg(test)]
mod tests {
    use super::ALGORITHMS;

    #[test]
    fn the_table_can_be_searched() {
        assert!(ALGORITHMS.is_sorted());
    }
}
