"""`python -m benchmarks.scratch`: the trainings of partners from nothing, held against the preprint's row BP.

From the records in `assets/weights` it writes `scratch_rewards.csv` in `docs/results/data`: what each partner earns
with its best response, in 100 games by which the policy was not chosen; `scratch_groups.csv`: the mean of each group,
with the preprint's mean and standard deviation; and `docs/results/scratch.svg`, the learning curves. Rows of other ways
to train them stay as they are.
"""

import json
from collections.abc import Iterable, Iterator, Sequence
from statistics import fmean
from typing import Any

from bba.agents import SCRATCH_PARTNERS
from bba.bench.preprint_values import PaperPlace, PaperValue, paper_value
from bba.files import data_dir, read_text, write_whole
from bba.kitchen import FEATURE_NAMES
from bba.palette import LIGHT
from bba.report.drawing import Axes, colour, draw, page_colours, standalone
from benchmarks.summaries import Row, parse_arguments, read_rows, update_table

Record = dict[str, Any]  # as `bba.learning.runs.run.TrainingRecord`, which needs the libraries of training

WITH_RESPONSE = "beside its best response"  # as in records
KITCHENS = ("open", "ring", "forced_coordination")
KEY = ("training", "kitchen", "partner")
GROUP_KEY = ("training", "kitchen", "group")
MILLION = 1e6


def main() -> None:
    """Writes the tables and the figure."""
    arguments = parse_arguments("scratch", __doc__)
    data = arguments.out / "data"
    records = list(shipped_records())
    update_table(data / "scratch_rewards.csv", KEY, map(reward_row, records))  # with the code that trained
    rewards = read_rows(data / "scratch_rewards.csv")
    update_table(data / "scratch_groups.csv", GROUP_KEY, group_rows(rewards))
    write_whole(arguments.out / "scratch.svg", figure(records))


def shipped_records() -> Iterator[Record]:
    """Yields the record of each partner in each kitchen."""
    folder = data_dir("assets/weights")
    for kitchen in KITCHENS:
        for partner in SCRATCH_PARTNERS:
            yield json.loads(read_text(folder / f"{partner.replace(':', '-')}-{kitchen}.json"))


def group_of(partner: str) -> str:
    """Returns the group of a partner, such as "G1" of ``scratch:G1-3``."""
    return partner.partition(":")[2].partition("-")[0]


def reward_row(record: Record) -> Row:
    """Returns what a partner and its best response earn, and how often a game the partner does each feature."""
    score = record["evaluation"][WITH_RESPONSE]
    rates = {name: f"{score['rates'][name]:.1f}" for name in FEATURE_NAMES}
    head = {"training": WITH_RESPONSE, "kitchen": record["layout"], "partner": record["policy"]}
    return head | {"reward": f"{score['reward']:.0f}"} | rates | {"code": record["code"]}


def group_rows(rewards: Iterable[Row]) -> Iterator[Row]:
    """Yields the mean reward of each group, with the preprint's and whether it is within its standard deviation."""
    groups: dict[tuple[str, str, str], list[float]] = {}
    codes: dict[str, str] = {}
    for row in rewards:
        codes[row["training"]] = row["code"]
        place = row["training"], row["kitchen"], group_of(row["partner"])
        groups.setdefault(place, []).append(float(row["reward"]))
    for (training, kitchen, group), values in groups.items():
        preprint = preprint_value(kitchen, group)
        assert preprint.sd is not None
        mean = fmean(values)
        yield {
            "training": training,
            "kitchen": kitchen,
            "group": group,
            "partners": str(len(values)),
            "mean": f"{mean:.0f}",
            "preprint": f"{preprint.mean:g}",
            "preprint_sd": f"{preprint.sd:g}",
            "within": "yes" if abs(mean - preprint.mean) <= preprint.sd else "no",
            "code": codes[training],
        }


def preprint_value(kitchen: str, group: str) -> PaperValue:
    """Returns the preprint's reward of BP with a group's partners."""
    value = paper_value(PaperPlace(table="table1", agent="bp", layout=kitchen, group=group, measure="reward"))
    assert value is not None
    return value


def figure(records: Sequence[Record]) -> str:
    """Returns the figure: the reward with the best response over the training, and the preprint's as a band."""
    groups = list(dict.fromkeys(group_of(record["policy"]) for record in records))

    def paint(_: object, axes: list[list[Axes]]) -> None:
        for row, kitchen in zip(axes, KITCHENS, strict=True):
            for panel, group in zip(row, groups, strict=True):
                preprint = preprint_value(kitchen, group)
                assert preprint.sd is not None
                panel.set_title(f"{kitchen}, {group}")
                panel.axhspan(preprint.mean - preprint.sd, preprint.mean + preprint.sd, color=colour(5), alpha=0.15)
                panel.axhline(preprint.mean, color=colour(5), linestyle=":", label="preprint, with its deviation")
                in_kitchen = [record for record in records if record["layout"] == kitchen]
                of_group = [record for record in in_kitchen if group_of(record["policy"]) == group]
                for number, record in enumerate(of_group):
                    steps = [point["steps"] / MILLION for point in record["curve"]]
                    rewards = [point["scores"][WITH_RESPONSE]["reward"] for point in record["curve"]]
                    panel.plot(steps, rewards, color=colour(number), linewidth=1.2, label=f"variant {number + 1}")
            row[0].set_ylabel("reward a game")
        for panel in axes[-1]:
            panel.set_xlabel("million steps")
        axes[-1][1].legend(loc="upper right", fontsize=8)

    drawing = draw("scratch", (len(KITCHENS), len(groups)), 6.2, paint, sharex="all", sharey="row")
    return standalone(drawing, page_colours(LIGHT))


if __name__ == "__main__":
    main()
