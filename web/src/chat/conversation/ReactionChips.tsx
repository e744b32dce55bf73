import type { Reaction } from '@nolo/api';
import { listOfNames } from '../../i18n/locale.ts';
import { classNames } from '../../ui/classNames.ts';
import { groupReactions, type ReactionGroup } from './reactionGroups.ts';
import { useMessageRowTexts } from '../words/messageRowTexts.ts';

/** Maximum names in a tooltip. The rest appears as a count. */
const namedPeople = 8;

/** Reactions under a message: emoji, count, and people. A press adds or removes the user's own reaction. */
export function ReactionChips(props: { reactions: readonly Reaction[]; selfId: string; own: boolean }) {
  const { reactions, selfId, own } = props;
  const { t } = useMessageRowTexts();
  return (
    <div
      role="group"
      aria-label={t('messages:reactions')}
      className={classNames('z-1 -mt-1.5 flex max-w-full flex-wrap gap-1 px-2', own ? 'justify-end' : 'justify-start')}
    >
      {groupReactions(reactions, selfId).map((group) => (
        <Chip key={group.emoji} group={group} />
      ))}
    </div>
  );
}

function Chip({ group: { emoji, userIds, own } }: { group: ReactionGroup }) {
  const { t, locale, nameOf } = useMessageRowTexts();
  const named = userIds.slice(0, namedPeople).map((id) => nameOf(id));
  const rest = userIds.length - named.length;
  if (rest > 0) named.push(t('messages:andMore', { count: rest }));
  const names = listOfNames(locale, named);
  const count = userIds.length > 1 ? userIds.length.toLocaleString(locale) : '';
  // The label begins with the visible text, so that speech control users can press the button by saying it.
  const label = t('messages:reactedBy', { emoji: `${emoji} ${count}`.trimEnd(), names });
  return (
    <button
      type="button"
      // The list handles the press, because it knows the message.
      data-reaction={emoji}
      aria-pressed={own}
      aria-label={label}
      title={label}
      className={classNames(
        'tabular relative inline-flex h-6 max-w-24 items-center gap-1 rounded-full border px-1.5 text-13 select-none pointer-coarse:before:absolute pointer-coarse:before:-inset-x-0.5 pointer-coarse:before:-inset-y-2.5',
        own
          ? 'border-accent bg-accent-subtle text-accent-text'
          : 'border-line bg-raised text-muted hover:border-line-strong',
      )}
    >
      <span className="overflow-hidden leading-none">{emoji}</span>
      {count}
    </button>
  );
}
