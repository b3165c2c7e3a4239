// What <nv/target> contributes, in our own words: each predicate is 1 or 0 in a pass, and the
// branching macros keep the block of the first predicate that is 1, in braces.
#ifndef __NV_TARGET_H
#define __NV_TARGET_H

#ifdef __CUDA_ARCH__
#define NV_IS_HOST 0
#define NV_IS_DEVICE 1
#define __CUDA_MINIMUM_ARCH__ __CUDA_ARCH__
#else
#define NV_IS_HOST 1
#define NV_IS_DEVICE 0
#endif
#define NV_ANY_TARGET 1
#define NV_NO_TARGET 0

#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 350
#define NV_PROVIDES_SM_35 1
#else
#define NV_PROVIDES_SM_35 0
#endif
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ == 350
#define NV_IS_EXACTLY_SM_35 1
#else
#define NV_IS_EXACTLY_SM_35 0
#endif
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 370
#define NV_PROVIDES_SM_37 1
#else
#define NV_PROVIDES_SM_37 0
#endif
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ == 370
#define NV_IS_EXACTLY_SM_37 1
#else
#define NV_IS_EXACTLY_SM_37 0
#endif
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 500
#define NV_PROVIDES_SM_50 1
#else
#define NV_PROVIDES_SM_50 0
#endif
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ == 500
#define NV_IS_EXACTLY_SM_50 1
#else
#define NV_IS_EXACTLY_SM_50 0
#endif
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 520
#define NV_PROVIDES_SM_52 1
#else
#define NV_PROVIDES_SM_52 0
#endif
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ == 520
#define NV_IS_EXACTLY_SM_52 1
#else
#define NV_IS_EXACTLY_SM_52 0
#endif
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 530
#define NV_PROVIDES_SM_53 1
#else
#define NV_PROVIDES_SM_53 0
#endif
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ == 530
#define NV_IS_EXACTLY_SM_53 1
#else
#define NV_IS_EXACTLY_SM_53 0
#endif
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 600
#define NV_PROVIDES_SM_60 1
#else
#define NV_PROVIDES_SM_60 0
#endif
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ == 600
#define NV_IS_EXACTLY_SM_60 1
#else
#define NV_IS_EXACTLY_SM_60 0
#endif
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 610
#define NV_PROVIDES_SM_61 1
#else
#define NV_PROVIDES_SM_61 0
#endif
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ == 610
#define NV_IS_EXACTLY_SM_61 1
#else
#define NV_IS_EXACTLY_SM_61 0
#endif
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 620
#define NV_PROVIDES_SM_62 1
#else
#define NV_PROVIDES_SM_62 0
#endif
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ == 620
#define NV_IS_EXACTLY_SM_62 1
#else
#define NV_IS_EXACTLY_SM_62 0
#endif
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 700
#define NV_PROVIDES_SM_70 1
#else
#define NV_PROVIDES_SM_70 0
#endif
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ == 700
#define NV_IS_EXACTLY_SM_70 1
#else
#define NV_IS_EXACTLY_SM_70 0
#endif
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 720
#define NV_PROVIDES_SM_72 1
#else
#define NV_PROVIDES_SM_72 0
#endif
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ == 720
#define NV_IS_EXACTLY_SM_72 1
#else
#define NV_IS_EXACTLY_SM_72 0
#endif
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 750
#define NV_PROVIDES_SM_75 1
#else
#define NV_PROVIDES_SM_75 0
#endif
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ == 750
#define NV_IS_EXACTLY_SM_75 1
#else
#define NV_IS_EXACTLY_SM_75 0
#endif
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
#define NV_PROVIDES_SM_80 1
#else
#define NV_PROVIDES_SM_80 0
#endif
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ == 800
#define NV_IS_EXACTLY_SM_80 1
#else
#define NV_IS_EXACTLY_SM_80 0
#endif
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 860
#define NV_PROVIDES_SM_86 1
#else
#define NV_PROVIDES_SM_86 0
#endif
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ == 860
#define NV_IS_EXACTLY_SM_86 1
#else
#define NV_IS_EXACTLY_SM_86 0
#endif
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 870
#define NV_PROVIDES_SM_87 1
#else
#define NV_PROVIDES_SM_87 0
#endif
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ == 870
#define NV_IS_EXACTLY_SM_87 1
#else
#define NV_IS_EXACTLY_SM_87 0
#endif
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 880
#define NV_PROVIDES_SM_88 1
#else
#define NV_PROVIDES_SM_88 0
#endif
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ == 880
#define NV_IS_EXACTLY_SM_88 1
#else
#define NV_IS_EXACTLY_SM_88 0
#endif
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 890
#define NV_PROVIDES_SM_89 1
#else
#define NV_PROVIDES_SM_89 0
#endif
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ == 890
#define NV_IS_EXACTLY_SM_89 1
#else
#define NV_IS_EXACTLY_SM_89 0
#endif
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
#define NV_PROVIDES_SM_90 1
#else
#define NV_PROVIDES_SM_90 0
#endif
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ == 900
#define NV_IS_EXACTLY_SM_90 1
#else
#define NV_IS_EXACTLY_SM_90 0
#endif
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 1000
#define NV_PROVIDES_SM_100 1
#else
#define NV_PROVIDES_SM_100 0
#endif
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ == 1000
#define NV_IS_EXACTLY_SM_100 1
#else
#define NV_IS_EXACTLY_SM_100 0
#endif
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 1010
#define NV_PROVIDES_SM_101 1
#else
#define NV_PROVIDES_SM_101 0
#endif
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ == 1010
#define NV_IS_EXACTLY_SM_101 1
#else
#define NV_IS_EXACTLY_SM_101 0
#endif
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 1030
#define NV_PROVIDES_SM_103 1
#else
#define NV_PROVIDES_SM_103 0
#endif
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ == 1030
#define NV_IS_EXACTLY_SM_103 1
#else
#define NV_IS_EXACTLY_SM_103 0
#endif
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 1070
#define NV_PROVIDES_SM_107 1
#else
#define NV_PROVIDES_SM_107 0
#endif
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ == 1070
#define NV_IS_EXACTLY_SM_107 1
#else
#define NV_IS_EXACTLY_SM_107 0
#endif
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 1100
#define NV_PROVIDES_SM_110 1
#else
#define NV_PROVIDES_SM_110 0
#endif
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ == 1100
#define NV_IS_EXACTLY_SM_110 1
#else
#define NV_IS_EXACTLY_SM_110 0
#endif
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 1200
#define NV_PROVIDES_SM_120 1
#else
#define NV_PROVIDES_SM_120 0
#endif
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ == 1200
#define NV_IS_EXACTLY_SM_120 1
#else
#define NV_IS_EXACTLY_SM_120 0
#endif
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 1210
#define NV_PROVIDES_SM_121 1
#else
#define NV_PROVIDES_SM_121 0
#endif
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ == 1210
#define NV_IS_EXACTLY_SM_121 1
#else
#define NV_IS_EXACTLY_SM_121 0
#endif

#ifdef __CUDA_ARCH_FEAT_SM90_ALL
#define NV_HAS_FEATURE_SM_90a 1
#else
#define NV_HAS_FEATURE_SM_90a 0
#endif
#ifdef __CUDA_ARCH_FEAT_SM100_ALL
#define NV_HAS_FEATURE_SM_100a 1
#else
#define NV_HAS_FEATURE_SM_100a 0
#endif
#ifdef __CUDA_ARCH_FEAT_SM101_ALL
#define NV_HAS_FEATURE_SM_101a 1
#else
#define NV_HAS_FEATURE_SM_101a 0
#endif
#ifdef __CUDA_ARCH_FEAT_SM103_ALL
#define NV_HAS_FEATURE_SM_103a 1
#else
#define NV_HAS_FEATURE_SM_103a 0
#endif
#ifdef __CUDA_ARCH_FEAT_SM107_ALL
#define NV_HAS_FEATURE_SM_107a 1
#else
#define NV_HAS_FEATURE_SM_107a 0
#endif
#ifdef __CUDA_ARCH_FEAT_SM110_ALL
#define NV_HAS_FEATURE_SM_110a 1
#else
#define NV_HAS_FEATURE_SM_110a 0
#endif
#ifdef __CUDA_ARCH_FEAT_SM120_ALL
#define NV_HAS_FEATURE_SM_120a 1
#else
#define NV_HAS_FEATURE_SM_120a 0
#endif
#ifdef __CUDA_ARCH_FEAT_SM121_ALL
#define NV_HAS_FEATURE_SM_121a 1
#else
#define NV_HAS_FEATURE_SM_121a 0
#endif

#define __nv_target_join(a, b) __nv_target_join_now(a, b)
#define __nv_target_join_now(a, b) a##b
#define __nv_target_bare(...) __VA_ARGS__
#define __nv_target_block(block) { __nv_target_bare block }

#define __nv_target_if_1(yes, no, ...) __nv_target_block(yes)
#define __nv_target_if_0(yes, no, ...) __nv_target_block(no)
#define NV_IF_TARGET(condition, ...) __nv_target_join(__nv_target_if_, condition)(__VA_ARGS__, (), )
#define NV_IF_ELSE_TARGET(condition, yes, no) __nv_target_join(__nv_target_if_, condition)(yes, no, )

#define __nv_target_case_1(condition, ...) __nv_target_join(__nv_target_case_1_, condition)(__VA_ARGS__)
#define __nv_target_case_1_1(block, ...) __nv_target_block(block)
#define __nv_target_case_1_0(block, ...) { }
#define __nv_target_case_1_end(...) { }
#define __nv_target_case_2(condition, ...) __nv_target_join(__nv_target_case_2_, condition)(__VA_ARGS__)
#define __nv_target_case_2_1(block, ...) __nv_target_block(block)
#define __nv_target_case_2_0(block, ...) __nv_target_case_1(__VA_ARGS__)
#define __nv_target_case_2_end(...) { }
#define __nv_target_case_3(condition, ...) __nv_target_join(__nv_target_case_3_, condition)(__VA_ARGS__)
#define __nv_target_case_3_1(block, ...) __nv_target_block(block)
#define __nv_target_case_3_0(block, ...) __nv_target_case_2(__VA_ARGS__)
#define __nv_target_case_3_end(...) { }
#define __nv_target_case_4(condition, ...) __nv_target_join(__nv_target_case_4_, condition)(__VA_ARGS__)
#define __nv_target_case_4_1(block, ...) __nv_target_block(block)
#define __nv_target_case_4_0(block, ...) __nv_target_case_3(__VA_ARGS__)
#define __nv_target_case_4_end(...) { }
#define __nv_target_case_5(condition, ...) __nv_target_join(__nv_target_case_5_, condition)(__VA_ARGS__)
#define __nv_target_case_5_1(block, ...) __nv_target_block(block)
#define __nv_target_case_5_0(block, ...) __nv_target_case_4(__VA_ARGS__)
#define __nv_target_case_5_end(...) { }
#define __nv_target_case_6(condition, ...) __nv_target_join(__nv_target_case_6_, condition)(__VA_ARGS__)
#define __nv_target_case_6_1(block, ...) __nv_target_block(block)
#define __nv_target_case_6_0(block, ...) __nv_target_case_5(__VA_ARGS__)
#define __nv_target_case_6_end(...) { }
#define __nv_target_case_7(condition, ...) __nv_target_join(__nv_target_case_7_, condition)(__VA_ARGS__)
#define __nv_target_case_7_1(block, ...) __nv_target_block(block)
#define __nv_target_case_7_0(block, ...) __nv_target_case_6(__VA_ARGS__)
#define __nv_target_case_7_end(...) { }
#define __nv_target_case_8(condition, ...) __nv_target_join(__nv_target_case_8_, condition)(__VA_ARGS__)
#define __nv_target_case_8_1(block, ...) __nv_target_block(block)
#define __nv_target_case_8_0(block, ...) __nv_target_case_7(__VA_ARGS__)
#define __nv_target_case_8_end(...) { }
#define __nv_target_case_9(condition, ...) __nv_target_join(__nv_target_case_9_, condition)(__VA_ARGS__)
#define __nv_target_case_9_1(block, ...) __nv_target_block(block)
#define __nv_target_case_9_0(block, ...) __nv_target_case_8(__VA_ARGS__)
#define __nv_target_case_9_end(...) { }
#define __nv_target_case_10(condition, ...) __nv_target_join(__nv_target_case_10_, condition)(__VA_ARGS__)
#define __nv_target_case_10_1(block, ...) __nv_target_block(block)
#define __nv_target_case_10_0(block, ...) __nv_target_case_9(__VA_ARGS__)
#define __nv_target_case_10_end(...) { }
#define __nv_target_case_11(condition, ...) __nv_target_join(__nv_target_case_11_, condition)(__VA_ARGS__)
#define __nv_target_case_11_1(block, ...) __nv_target_block(block)
#define __nv_target_case_11_0(block, ...) __nv_target_case_10(__VA_ARGS__)
#define __nv_target_case_11_end(...) { }
#define __nv_target_case_12(condition, ...) __nv_target_join(__nv_target_case_12_, condition)(__VA_ARGS__)
#define __nv_target_case_12_1(block, ...) __nv_target_block(block)
#define __nv_target_case_12_0(block, ...) __nv_target_case_11(__VA_ARGS__)
#define __nv_target_case_12_end(...) { }
#define __nv_target_case_13(condition, ...) __nv_target_join(__nv_target_case_13_, condition)(__VA_ARGS__)
#define __nv_target_case_13_1(block, ...) __nv_target_block(block)
#define __nv_target_case_13_0(block, ...) __nv_target_case_12(__VA_ARGS__)
#define __nv_target_case_13_end(...) { }
#define __nv_target_case_14(condition, ...) __nv_target_join(__nv_target_case_14_, condition)(__VA_ARGS__)
#define __nv_target_case_14_1(block, ...) __nv_target_block(block)
#define __nv_target_case_14_0(block, ...) __nv_target_case_13(__VA_ARGS__)
#define __nv_target_case_14_end(...) { }
#define __nv_target_case_15(condition, ...) __nv_target_join(__nv_target_case_15_, condition)(__VA_ARGS__)
#define __nv_target_case_15_1(block, ...) __nv_target_block(block)
#define __nv_target_case_15_0(block, ...) __nv_target_case_14(__VA_ARGS__)
#define __nv_target_case_15_end(...) { }
#define __nv_target_case_16(condition, ...) __nv_target_join(__nv_target_case_16_, condition)(__VA_ARGS__)
#define __nv_target_case_16_1(block, ...) __nv_target_block(block)
#define __nv_target_case_16_0(block, ...) __nv_target_case_15(__VA_ARGS__)
#define __nv_target_case_16_end(...) { }
#define NV_DISPATCH_TARGET(...) __nv_target_case_16(__VA_ARGS__, end, )

#endif
