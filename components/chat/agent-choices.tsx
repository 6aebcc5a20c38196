/** The modes, models and other options that an agent offers, each a menu. */
'use client';

import { ChevronDown } from 'lucide-react';
import { useState } from 'react';
import { Menu } from '@/components/ui/menu';
import type { AgentChoice, AgentState } from '@/lib/domain/conversation';
import styles from './agent-choices.module.css';

const ORDER: AgentChoice['category'][] = ['mode', 'model', 'other'];

export function AgentChoices({
  agent,
  choose,
}: {
  agent: AgentState;
  choose: (choiceId: string, value: string) => Promise<void>;
}) {
  const choices = agent.choices
    .filter(({ values }) => values.length > 1)
    .sort((a, b) => ORDER.indexOf(a.category) - ORDER.indexOf(b.category));
  return choices.map((choice) => <Choice key={choice.id} choice={choice} choose={choose} />);
}

function Choice({
  choice,
  choose,
}: {
  choice: AgentChoice;
  choose: (choiceId: string, value: string) => Promise<void>;
}) {
  // Until the agent confirms, what was chosen is shown; then what the agent says is.
  const [chosen, setChosen] = useState<{ value: string; over: string } | null>(null);
  const current = chosen && chosen.over === choice.current ? chosen.value : choice.current;
  const name = choice.values.find(({ value }) => value === current)?.name ?? current;
  return (
    <Menu
      label={`${choice.name}: ${name}`}
      side="above"
      buttonClassName={styles.choice}
      face={
        <>
          {name} <ChevronDown aria-hidden="true" size={13} />
        </>
      }
      items={choice.values.map(({ value, name: label, description }) => ({
        id: value,
        label,
        detail: description,
        checked: value === current,
        onChoose: () => {
          setChosen({ value, over: choice.current });
          void choose(choice.id, value);
        },
      }))}
    />
  );
}
