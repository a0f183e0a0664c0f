#!/bin/bash
# whole_study.sh STUDY FOLDER [PEOPLE]: a study from its file to the package for reviewers, with simulated people.
#
# bash examples/study/whole_study.sh examples/study/short.toml results/short 12
#
# With people, `bba-tui study STUDY --participant CODE` or `bba-tui serve --study STUDY` is in the place of `simulate`.
set -euo pipefail
study=$1
folder=$2
people=${3:-12}
bba-tui study check "$study"
bba-tui study power "$study"
bba-tui study simulate "$study" --participants "$people" --out "$folder"
bba-tui study preregister "$study" >"$folder/preregistration.txt" # of a real study: before its first participant
bba-tui study tables "$folder"
bba-tui study package "$folder" --out "$folder/package.zip"
python -m zipfile -e "$folder/package.zip" "$folder/package"
python "$folder/package/analysis.py" --check # the tables of the package are those of its data, to the last digit
