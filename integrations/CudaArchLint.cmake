# Looks for cuda-arch-lint's findings in each CUDA source as it is compiled.
#
#   include(CudaArchLint)
#   cuda_arch_lint()                            # all targets of this directory and below that come after
#   cuda_arch_lint(TARGETS kernels FAIL)        # these targets, whatever was said of all; findings stop the build
#   cuda_arch_lint(OPTIONS --rule arch-dependent-header=off)
#   cuda_arch_lint_audit(kernels FAIL)          # looks at what was linked: does each GPU have what the host registers?
#   cuda_arch_lint_judge(lint TARGETS kernels app) # a command for each source, and one that judges all: only what changed is done again
#
# The compiler's own output and exit code stay as they are unless FAIL is given. A launcher that is set
# already, such as ccache, runs behind it. CUDA_ARCH_LINT_EXECUTABLE names the program; where there is none,
# a warning says so and nothing else happens, unless REQUIRED is given.
#
# The module also adds a target `cuda-arch-lint` that looks at the whole project at once, headers that several
# sources share included, if CMAKE_EXPORT_COMPILE_COMMANDS is on.

include_guard(GLOBAL)

find_program(CUDA_ARCH_LINT_EXECUTABLE cuda-arch-lint
  DOC "The linter that the CUDA sources are looked at with")

# Ends the function that calls it, of the given name, if the program was not found: with an error if it is REQUIRED.
macro(_cuda_arch_lint_needed caller required)
  if(NOT CUDA_ARCH_LINT_EXECUTABLE)
    set(_cuda_arch_lint_how WARNING)
    if("${required}")
      set(_cuda_arch_lint_how FATAL_ERROR)
    endif()
    message(${_cuda_arch_lint_how} "${caller}: cuda-arch-lint was not found; set CUDA_ARCH_LINT_EXECUTABLE")
    return()
  endif()
endmacro()

function(cuda_arch_lint)
  cmake_parse_arguments(PARSE_ARGV 0 lint "FAIL;REQUIRED" "" "TARGETS;OPTIONS")
  if(lint_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "cuda_arch_lint: unknown arguments: ${lint_UNPARSED_ARGUMENTS}")
  endif()
  _cuda_arch_lint_needed(cuda_arch_lint ${lint_REQUIRED})

  set(launcher "${CUDA_ARCH_LINT_EXECUTABLE}" launcher)
  if(lint_FAIL)
    list(APPEND launcher --fail)
  endif()
  list(APPEND launcher ${lint_OPTIONS} --)

  if(lint_TARGETS)
    foreach(target IN LISTS lint_TARGETS)
      get_target_property(behind "${target}" CUDA_COMPILER_LAUNCHER)
      set(all ${launcher})
      if(behind)
        # What an earlier call without TARGETS put there would look at each source once more.
        list(GET behind 0 first)
        if(first STREQUAL CUDA_ARCH_LINT_EXECUTABLE)
          list(FIND behind "--" end)
          foreach(index RANGE ${end})
            list(POP_FRONT behind)
          endforeach()
        endif()
        list(APPEND all ${behind})
      endif()
      set_target_properties("${target}" PROPERTIES CUDA_COMPILER_LAUNCHER "${all}")
    endforeach()
  else()
    set(CMAKE_CUDA_COMPILER_LAUNCHER ${launcher} ${CMAKE_CUDA_COMPILER_LAUNCHER} PARENT_SCOPE)
  endif()

  if(CMAKE_EXPORT_COMPILE_COMMANDS AND NOT TARGET cuda-arch-lint)
    # CMake puts sources of its own into a build tree.
    file(RELATIVE_PATH build "${CMAKE_SOURCE_DIR}" "${CMAKE_BINARY_DIR}")
    set(exclude "")
    if(build AND NOT build MATCHES "^\\.\\.")
      set(exclude --exclude "/${build}/")
    endif()
    add_custom_target(cuda-arch-lint
      COMMAND "${CUDA_ARCH_LINT_EXECUTABLE}" check -p "${CMAKE_BINARY_DIR}" ${exclude} ${lint_OPTIONS}
        "${CMAKE_SOURCE_DIR}"
      WORKING_DIRECTORY "${CMAKE_SOURCE_DIR}"
      COMMENT "Comparing what the host and the GPUs read"
      USES_TERMINAL
      VERBATIM)
  endif()
endfunction()

# Compares the device code of a library or program with what its host code registers, each time it is linked. OPTIONS are
# those of `cuda-arch-lint audit`, such as `--sources ${CMAKE_CURRENT_SOURCE_DIR}`. Findings stop the build if FAIL is given.
function(cuda_arch_lint_audit target)
  cmake_parse_arguments(PARSE_ARGV 1 audit "FAIL;REQUIRED" "" "OPTIONS")
  if(audit_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "cuda_arch_lint_audit: unknown arguments: ${audit_UNPARSED_ARGUMENTS}")
  endif()
  get_target_property(kind "${target}" TYPE)
  if(NOT kind MATCHES "^(EXECUTABLE|STATIC_LIBRARY|SHARED_LIBRARY|MODULE_LIBRARY)$")
    message(FATAL_ERROR "cuda_arch_lint_audit: ${target} is neither a library with a file of its own nor a program")
  endif()
  _cuda_arch_lint_needed(cuda_arch_lint_audit ${audit_REQUIRED})

  if(NOT audit_FAIL)
    list(APPEND audit_OPTIONS --exit-zero)
  endif()
  add_custom_command(TARGET "${target}" POST_BUILD
    COMMAND "${CUDA_ARCH_LINT_EXECUTABLE}" audit ${audit_OPTIONS} -- "$<TARGET_FILE:${target}>"
    WORKING_DIRECTORY "${CMAKE_CURRENT_SOURCE_DIR}"
    COMMENT "Comparing the device code of ${target} with what its host code registers"
    VERBATIM)
endfunction()

# Adds a target `name` that summarizes each CUDA source of some targets by a command of its own and then judges all of them:
# the build system runs them in parallel, and again only where a source or a header that it read has changed. SUMMARIZE are
# more options of `cuda-arch-lint summarize`, JUDGE those of `cuda-arch-lint judge`, such as `--output sarif:report.sarif`.
# Include directories, definitions, architectures and separable compilation are those of each target. Targets in one call
# are parts of one program.
function(cuda_arch_lint_judge name)
  cmake_parse_arguments(PARSE_ARGV 1 lint "REQUIRED" "" "TARGETS;SUMMARIZE;JUDGE")
  if(lint_UNPARSED_ARGUMENTS OR NOT lint_TARGETS)
    message(FATAL_ERROR "cuda_arch_lint_judge: the form is cuda_arch_lint_judge(name TARGETS target...), not: ${ARGN}")
  endif()
  _cuda_arch_lint_needed(cuda_arch_lint_judge ${lint_REQUIRED})

  set(summaries "")
  foreach(target IN LISTS lint_TARGETS)
    get_target_property(sources "${target}" SOURCES)
    get_target_property(directory "${target}" SOURCE_DIR)
    get_target_property(architectures "${target}" CUDA_ARCHITECTURES)
    set(options ${lint_SUMMARIZE})
    if(architectures AND NOT architectures MATCHES "^(OFF|native|all|all-major)$")
      foreach(architecture IN LISTS architectures)
        list(APPEND options "--arch=${architecture}")
      endforeach()
    endif()
    get_target_property(separable "${target}" CUDA_SEPARABLE_COMPILATION)
    if(separable)
      list(APPEND options --rdc)
    endif()
    set(included "$<TARGET_PROPERTY:${target},INCLUDE_DIRECTORIES>")
    set(defined "$<TARGET_PROPERTY:${target},COMPILE_DEFINITIONS>")
    foreach(source IN LISTS sources)
      if(NOT source MATCHES "\\.cu$")
        continue()
      endif()
      get_filename_component(source "${source}" ABSOLUTE BASE_DIR "${directory}")
      file(RELATIVE_PATH place "${CMAKE_SOURCE_DIR}" "${source}")
      string(REGEX REPLACE "[^A-Za-z0-9_./-]|\\.\\./" "_" place "${place}")
      set(summary "${CMAKE_BINARY_DIR}/cuda-arch-lint/${target}/${place}.summary")
      get_filename_component(folder "${summary}" DIRECTORY)
      file(MAKE_DIRECTORY "${folder}")
      add_custom_command(OUTPUT "${summary}"
        COMMAND "${CUDA_ARCH_LINT_EXECUTABLE}" summarize --output "${summary}" --depfile "${summary}.d" --jobs 1 --only-named-directories
          ${options} "$<$<BOOL:${included}>:-I$<JOIN:${included},;-I>>" "$<$<BOOL:${defined}>:-D$<JOIN:${defined},;-D>>"
          "${source}"
        DEPENDS "${source}" "${CUDA_ARCH_LINT_EXECUTABLE}"
        DEPFILE "${summary}.d"
        WORKING_DIRECTORY "${CMAKE_SOURCE_DIR}"
        COMMENT "Comparing what the host and the GPUs read of ${place}"
        COMMAND_EXPAND_LISTS
        VERBATIM)
      list(APPEND summaries "${summary}")
    endforeach()
  endforeach()
  if(NOT summaries)
    message(FATAL_ERROR "cuda_arch_lint_judge: ${lint_TARGETS} have no CUDA source")
  endif()

  set(listed "${CMAKE_BINARY_DIR}/cuda-arch-lint/${name}.list")
  list(JOIN summaries "\n" lines)
  file(GENERATE OUTPUT "${listed}" CONTENT "${lines}\n")
  set(judged "${CMAKE_BINARY_DIR}/cuda-arch-lint/${name}.json")
  add_custom_command(OUTPUT "${judged}"
    COMMAND "${CUDA_ARCH_LINT_EXECUTABLE}" judge ${lint_JUDGE} --output "json:${judged}" "@${listed}"
    DEPENDS ${summaries} "${listed}" "${CUDA_ARCH_LINT_EXECUTABLE}"
    WORKING_DIRECTORY "${CMAKE_SOURCE_DIR}"
    COMMENT "Judging the units of ${lint_TARGETS} together"
    VERBATIM)
  add_custom_target("${name}" DEPENDS "${judged}")
endfunction()
