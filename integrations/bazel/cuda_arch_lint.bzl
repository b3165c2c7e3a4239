"""cuda-arch-lint under Bazel: an action for each CUDA source, and one that judges the units of a program together.

    load("//path/to:cuda_arch_lint.bzl", "cuda_arch_lint_test")

    cuda_arch_lint_test(
        name = "lint",
        deps = [":program"],              # targets of rules_cuda, or of any rule that hands on a CcInfo
        archs = ["80", "90"],
        linter = "@cuda_arch_lint//:cuda-arch-lint",
        headers = ["@cuda//:headers"],    # those of CUDA and of the compiler, if they are to be read
        summarize_options = ["-nostdinc"],
    )

Actions see no file that is not declared, so Bazel runs them in its sandbox, caches them and sends them to other machines.
"""

CudaArchLintInfo = provider(
    doc = "What is kept of the CUDA sources of a target and of what it depends on.",
    fields = {
        "units": "a depset of structs: a source, the headers it may read and how it is compiled",
    },
)

def _is_cuda(file):
    return file.extension == "cu"

def _aspect_impl(target, ctx):
    attr = ctx.rule.attr
    below = [dep[CudaArchLintInfo].units for name in ("deps", "implementation_deps") for dep in getattr(attr, name, []) if CudaArchLintInfo in dep]
    units = []
    if CcInfo in target:
        context = target[CcInfo].compilation_context
        sources = [file for source in getattr(attr, "srcs", []) for file in source.files.to_list()]
        options = []
        options += ["-iquote", "."] + [word for path in context.quote_includes.to_list() for word in ("-iquote", path)]
        options += ["-I" + path for path in context.includes.to_list()]
        options += [word for path in context.system_includes.to_list() for word in ("-isystem", path)]
        options += ["-D" + define for define in context.defines.to_list() + context.local_defines.to_list()]
        if getattr(attr, "rdc", False):
            options.append("--rdc")
        private = [file for file in sources if not _is_cuda(file)]
        units = [
            struct(source = source, headers = context.headers, private = tuple(private), options = tuple(options), label = str(ctx.label))
            for source in sources
            if _is_cuda(source)
        ]
    return [CudaArchLintInfo(units = depset(units, transitive = below))]

cuda_arch_lint_aspect = aspect(
    implementation = _aspect_impl,
    attr_aspects = ["deps", "implementation_deps"],
    doc = "Collects the CUDA sources of targets with how they are compiled.",
)

def _test_impl(ctx):
    units = depset(transitive = [dep[CudaArchLintInfo].units for dep in ctx.attr.deps]).to_list()
    archs = ["--arch=" + arch for arch in ctx.attr.archs]
    summaries = []
    read = []
    for number, unit in enumerate(units):
        summary = ctx.actions.declare_file("%s.summaries/%d-%s.summary" % (ctx.label.name, number, unit.source.basename))
        arguments = ctx.actions.args()
        arguments.add("summarize").add("--isolated").add("--only-named-directories").add("--jobs", "1").add("--output", summary)
        arguments.add_all(archs)
        arguments.add_all(ctx.attr.summarize_options)
        arguments.add_all(list(unit.options))
        arguments.add(unit.source)
        inputs = depset([unit.source] + list(unit.private) + ctx.files.headers, transitive = [unit.headers])
        ctx.actions.run(
            executable = ctx.executable.linter,
            arguments = [arguments],
            inputs = inputs,
            outputs = [summary],
            mnemonic = "CudaArchLintSummarize",
            progress_message = "Comparing what the host and the GPUs read of %s" % unit.source.short_path,
        )
        summaries.append(summary)
        read.append(inputs)

    # Findings are shown with the lines that they are about. Sources are named as the actions named them, so the judge is an
    # action too: in a test, generated files would have other paths.
    listed = ctx.actions.declare_file(ctx.label.name + ".list")
    ctx.actions.write(listed, "\n".join([file.path for file in summaries]) + "\n")
    text = ctx.actions.declare_file(ctx.label.name + ".txt")
    sarif = ctx.actions.declare_file(ctx.label.name + ".sarif")
    code = ctx.actions.declare_file(ctx.label.name + ".code")
    ctx.actions.run_shell(
        command = 'code=0; "$1" judge --isolated --output "sarif:$2" "${@:5}" > "$3" 2>&1 || code=$?; ' +
                  'test "$code" -ne 2 || { cat "$3"; exit 2; }; echo "$code" > "$4"',
        arguments = [ctx.executable.linter.path, sarif.path, text.path, code.path] + ctx.attr.judge_options + ["@" + listed.path],
        tools = [ctx.executable.linter],
        inputs = depset(summaries + [listed], transitive = read),
        outputs = [text, sarif, code],
        mnemonic = "CudaArchLintJudge",
        progress_message = "Judging %d units of %s together" % (len(units), ctx.label),
    )
    script = ctx.actions.declare_file(ctx.label.name + ".sh")
    ctx.actions.write(
        script,
        "#!/bin/sh\ncat '%s'\nexit \"$(cat '%s')\"\n" % (text.short_path, code.short_path),
        is_executable = True,
    )
    return [
        DefaultInfo(executable = script, files = depset([text, sarif]), runfiles = ctx.runfiles([text, code])),
        OutputGroupInfo(summaries = depset(summaries), sarif = depset([sarif])),
    ]

cuda_arch_lint_test = rule(
    implementation = _test_impl,
    test = True,
    doc = "Fails as `cuda-arch-lint check` does on the units of a program.",
    attrs = {
        "deps": attr.label_list(aspects = [cuda_arch_lint_aspect], doc = "The targets of one program."),
        "archs": attr.string_list(doc = "The targets: `80`, `90a`."),
        "linter": attr.label(executable = True, cfg = "exec", allow_single_file = True, mandatory = True, doc = "The program."),
        "headers": attr.label_list(allow_files = True, doc = "More headers that may be read."),
        "summarize_options": attr.string_list(doc = "More options of `cuda-arch-lint summarize`."),
        "judge_options": attr.string_list(doc = "More options of `cuda-arch-lint judge`."),
    },
)
