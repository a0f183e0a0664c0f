#!/bin/bash
# merge_parts.sh SWEEP: puts the parts that the tasks of sweep.sbatch have played together, in results/SWEEP-all.
set -euo pipefail
bba-tui merge "$(printf '%s\n' results/"$1"-parts/* | paste -sd,)" --out "results/$1-all"
