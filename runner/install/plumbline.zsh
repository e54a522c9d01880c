#compdef plumbline
# SPDX-FileCopyrightText: 2026 The Plumbline authors
# SPDX-License-Identifier: MIT
#
# Completion for zsh. `plumbline complete WORD...` gives the candidates for the last word.

_plumbline() {
    local -a candidates typed
    local candidate files=
    typed=("${(@)words[2,CURRENT-1]}" "$PREFIX")
    for candidate in "${(@f)$($words[1] complete "${typed[@]}" 2>/dev/null)}"; do
        case $candidate in
        '') ;;
        /) files=directories ;;
        '*') files=all ;;
        *) candidates+=("$candidate") ;;
        esac
    done
    (( $#candidates )) && compadd -- "${candidates[@]}"
    case $files in
    directories) _files -/ ;;
    all) _files ;;
    esac
    return 0
}
_plumbline "$@"
