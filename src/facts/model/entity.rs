//! The kinds of entities that facts are about, and the word for each in messages.

use std::fmt;

/// The kind of an entity. Its text is the CUDA guide's word for it.
#[derive(Clone, Copy, PartialEq, Eq, Debug, serde::Serialize, serde::Deserialize)]
pub enum EntityKind {
    /// A `__global__` function.
    Kernel,
    /// A `__global__` function template.
    KernelTemplate,
    /// A variable or variable template in global memory.
    DeviceVariable,
    /// A variable or variable template in constant memory.
    ConstantVariable,
    /// A variable or variable template in managed memory.
    ManagedVariable,
    /// A texture reference.
    Texture,
    /// A surface reference.
    Surface,
    /// An ordinary function.
    Function,
    /// A function template.
    FunctionTemplate,
    /// A function declared `inline`, or with a compiler's own spelling of it (`__forceinline__`).
    InlineFunction,
    /// A function that is `inline` because it is `constexpr`.
    ConstexprFunction,
    /// An ordinary variable.
    Variable,
    /// A variable template.
    VariableTemplate,
    /// A variable declared `inline`.
    InlineVariable,
    /// A class.
    Class,
    /// A class template.
    ClassTemplate,
}

impl EntityKind {
    /// Whether it is a kernel or a kernel template.
    pub fn is_kernel(self) -> bool {
        matches!(self, EntityKind::Kernel | EntityKind::KernelTemplate)
    }
}

impl fmt::Display for EntityKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            EntityKind::Kernel => "kernel",
            EntityKind::KernelTemplate => "kernel template",
            EntityKind::DeviceVariable => "`__device__` variable",
            EntityKind::ConstantVariable => "`__constant__` variable",
            EntityKind::ManagedVariable => "`__managed__` variable",
            EntityKind::Texture => "texture",
            EntityKind::Surface => "surface",
            EntityKind::Function => "function",
            EntityKind::FunctionTemplate => "function template",
            EntityKind::InlineFunction => "inline function",
            EntityKind::ConstexprFunction => "constexpr function",
            EntityKind::Variable => "variable",
            EntityKind::VariableTemplate => "variable template",
            EntityKind::InlineVariable => "inline variable",
            EntityKind::Class => "class",
            EntityKind::ClassTemplate => "class template",
        })
    }
}
