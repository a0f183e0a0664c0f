#!/bin/bash
# ask_a_model.sh MODEL FOLDER: a game, a sweep and the exam of a language model, and all that was said, in a folder.
#
# OPENAI_API_KEY=… bash examples/model/ask_a_model.sh gpt-4o results/gpt-4o
# OPENAI_BASE_URL=http://localhost:11434/v1 bash examples/model/ask_a_model.sh llama3.1 results/llama
set -euo pipefail
model=(--planner openai --model "$1")
folder=$2
mkdir -p "$folder"
bba-tui headless open "${model[@]}" --horizon 60 --record "$folder/game.bba"
bba-tui bench quick "${model[@]}" --agents bayes --layouts open --seeds 1 --horizon 60 --out "$folder/sweep"
bba-tui exam "${model[@]}" --out "$folder/exam" # asks before it spends more than a dollar; --dry-run says the price
bba-tui transcripts "$folder/exam" --export inspect # logs that inspect_ai opens
