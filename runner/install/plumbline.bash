# SPDX-FileCopyrightText: 2026 The Plumbline authors
# SPDX-License-Identifier: MIT
#
# Completion for bash. `plumbline complete WORD...` gives the candidates for the last word.

_plumbline() {
    local line=${COMP_LINE:0:COMP_POINT} word candidate prefix
    local -a words
    read -ra words <<<"$line"
    [[ $line == *[[:space:]] ]] && words+=('')
    word=${words[-1]}
    # Readline replaces only what stands behind its last word break.
    prefix=
    [[ $word == *[=:]* && $COMP_WORDBREAKS == *=* ]] && prefix=${word%"${word##*[=:]}"}
    COMPREPLY=()
    while IFS= read -r candidate; do
        case $candidate in
        /) compopt -o filenames
           while IFS= read -r candidate; do COMPREPLY+=("$candidate"); done < <(compgen -d -- "${word#"$prefix"}") ;;
        '*') compopt -o filenames
             while IFS= read -r candidate; do COMPREPLY+=("$candidate"); done < <(compgen -f -- "${word#"$prefix"}") ;;
        *) COMPREPLY+=("${candidate#"$prefix"}") ;;
        esac
    done < <("${words[0]}" complete "${words[@]:1}" 2>/dev/null)
}
complete -F _plumbline plumbline
