"""A visitor who does nothing is warned, then leaves the place to others."""

from tui.serve.idle import IdleWatch


def test_a_visitor_is_warned_once_and_then_leaves_unless_something_is_done():
    time, said = [0.0], []
    watch = IdleWatch(lambda: said.append("warned"), lambda: said.append("ended"), limit=300, now=lambda: time[0])

    def after(seconds):
        time[0] += seconds
        watch.look()
        return said[:]

    assert after(239) == []
    assert after(1) == ["warned"]
    assert after(30) == ["warned"]
    watch.note()
    assert after(200) == ["warned"]
    assert after(60) == ["warned", "warned"]
    assert after(40) == ["warned", "warned", "ended"]
