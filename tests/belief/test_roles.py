from bba.belief import COMPLEMENTS, NO_ROLE, ROLE_NAMES, ROLE_OF_SKILL, ROLE_SKILLS, hypothesis_space, is_complementary
from bba.kitchen import Skill

UNSCORED = {Skill.GO_TO_PUT_OUT_FIRE, Skill.STAY, Skill.GO_TO_TRASH_AND_THROW, Skill.GRAB_FIRE_EXT, Skill.GRAB_CHARCOAL}


def test_every_skill_has_one_role_but_fire_handling_and_waiting():
    assert sorted(skill for skills in ROLE_SKILLS for skill in skills) == sorted(set(Skill) - UNSCORED)
    assert {skill for skill in Skill if ROLE_OF_SKILL[skill] == NO_ROLE} == UNSCORED


def test_a_role_never_complements_itself_and_staging_complements_nobody_but_is_complemented():
    for role in range(len(ROLE_NAMES)):
        assert not is_complementary(role, role)
        assert COMPLEMENTS[role]
    assert not any(is_complementary(ROLE_NAMES.index("stage_pass"), role) for role in range(len(ROLE_NAMES)))


def test_nothing_complements_a_partner_without_a_role():
    assert not any(is_complementary(role, NO_ROLE) for role in range(len(ROLE_NAMES)))


def test_the_skill_hypotheses_are_the_22_scored_skills_with_their_roles():
    psi = hypothesis_space("skills")
    assert len(psi.names) == 22
    for name, role in zip(psi.names, psi.roles, strict=True):
        assert ROLE_OF_SKILL[Skill[name]] == role
        assert psi.names[psi.hypothesis_of_skill[Skill[name]]] == name
