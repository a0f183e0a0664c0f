#!/bin/bash
# merge_parts.sh SWEEP SEEDS [OPTIONS]: puts the parts that the tasks of sweep.sbatch have played together, in
# results/SWEEP-all, and makes the tables over so many seeds in all. The options are those of the tasks.
set -euo pipefail
sweep=$1
seeds=$2
shift 2
bba-tui merge "$(printf '%s\n' results/"$sweep"-parts/* | paste -sd,)" --out "results/$sweep-all"
bba-tui bench "$sweep" --seed 0 --seeds "$seeds" --out "results/$sweep-all" "$@" # plays only what a task has not
