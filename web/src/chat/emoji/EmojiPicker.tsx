import { fullEmoji } from '@nolo/rules';
import { Apple, Car, Clock3, Flag, Hash, Lightbulb, PawPrint, Smile, User, Volleyball } from 'lucide-react';
import { useId, useMemo, useRef, useState, type KeyboardEvent } from 'react';
import { useStore } from 'zustand';
import { useSelf } from '../../session/self.ts';
import { getEmojiPreferences } from './emojiPreferences.ts';
import { classNames } from '../../ui/classNames.ts';
import { SearchField } from '../../ui/SearchField.tsx';
import { emojiGroups, findEmoji, withSkinTone, type Emoji, type EmojiGroup } from './emoji.ts';
import { useTexts } from '../../i18n/texts.ts';
import { messagesTexts } from '../words/messagesTexts.ts';

const icons = {
  recent: Clock3,
  smileys: Smile,
  people: User,
  animals: PawPrint,
  food: Apple,
  travel: Car,
  activities: Volleyball,
  objects: Lightbulb,
  symbols: Hash,
  flags: Flag,
};

const maxEmojiResults = 96;
const columns = 8;
const toneNames = ['none', 'light', 'mediumLight', 'medium', 'mediumDark', 'dark'] as const;

/** Moves the focus with the arrow keys along the emoji grid. */
function moveWithArrows(event: KeyboardEvent<HTMLDivElement>): void {
  const buttons = [...event.currentTarget.querySelectorAll<HTMLElement>('button')];
  const index = buttons.indexOf(event.target as HTMLElement);
  const forward = document.documentElement.dir === 'rtl' ? -1 : 1;
  const steps: Record<string, number> = {
    ArrowRight: forward,
    ArrowLeft: -forward,
    ArrowDown: columns,
    ArrowUp: -columns,
    Home: -index,
    End: buttons.length - 1 - index,
  };
  const step = steps[event.key];
  if (step === undefined || index < 0) return;
  event.preventDefault();
  event.stopPropagation();
  buttons[Math.min(Math.max(index + step, 0), buttons.length - 1)]?.focus();
}

function useGroupName(): (group: EmojiGroup | 'recent') => string {
  const { t } = useTexts(messagesTexts);
  return (group) => (group === 'recent' ? t('messages:emoji.recent') : t(`messages:emoji.group.${group}`));
}

interface GroupsProps {
  current: EmojiGroup | 'recent' | null;
  /** Id of the panel that shows them. */
  panel: string;
  onChoose: (group: EmojiGroup | 'recent') => void;
}

function Groups({ current, panel, onChoose }: GroupsProps) {
  const { t } = useTexts(messagesTexts);
  const nameOf = useGroupName();
  return (
    <div role="group" aria-label={t('messages:emoji.groups')} className="flex justify-between">
      {(['recent', ...emojiGroups] as const).map((one) => {
        const Icon = icons[one];
        return (
          <button
            key={one}
            type="button"
            aria-pressed={one === current}
            aria-label={nameOf(one)}
            title={nameOf(one)}
            aria-controls={panel}
            onClick={() => onChoose(one)}
            className={classNames(
              'inline-flex size-8 items-center justify-center rounded-control pointer-coarse:h-11',
              one === current ? 'bg-accent-subtle text-accent-text' : 'text-muted hover:bg-hover hover:text-ink',
            )}
          >
            <Icon aria-hidden="true" className="size-[18px]" />
          </button>
        );
      })}
    </div>
  );
}

/** Picks the skin tone for emoji of people. */
function Tones({ tone, onChoose }: { tone: number; onChoose: (tone: number) => void }) {
  const { t } = useTexts(messagesTexts);
  return (
    <div role="group" aria-label={t('messages:emoji.tone')} className="flex items-center justify-end gap-0.5">
      <span aria-hidden="true" className="me-auto text-12 text-muted">
        {t('messages:emoji.tone')}
      </span>
      {toneNames.map((name, index) => (
        <button
          key={name}
          type="button"
          aria-pressed={tone === index}
          aria-label={t(`messages:emoji.tones.${name}`)}
          title={t(`messages:emoji.tones.${name}`)}
          onClick={() => onChoose(index)}
          className={classNames(
            'inline-flex size-8 items-center justify-center rounded-full text-16 leading-none hover:bg-hover',
            tone === index && 'bg-accent-subtle ring-1 ring-accent-line',
          )}
        >
          {index === 0 ? '✋' : `✋${String.fromCodePoint(0x1f3fa + index)}`}
        </button>
      ))}
    </div>
  );
}

/** Shows all emoji by group, with a search by name. Renders one group at a time. */
export function EmojiPicker({ all, onPick }: { all: readonly Emoji[]; onPick: (emoji: string) => void }) {
  const { t } = useTexts(messagesTexts);
  const choice = getEmojiPreferences(useSelf().id);
  const recent = useStore(choice, (state) => state.recent);
  const tone = useStore(choice, (state) => state.tone);
  const [query, setQuery] = useState('');
  const [group, setGroup] = useState<EmojiGroup | 'recent'>(() => (recent.length > 0 ? 'recent' : 'smileys'));
  const grid = useRef<HTMLDivElement>(null);
  const panel = useId();

  const shown = useMemo((): { text: string; name: string }[] => {
    const named = (emoji: Emoji) => ({ text: withSkinTone(emoji, tone), name: emoji.name });
    if (query.trim() !== '') return findEmoji(all, query, maxEmojiResults).map(named);
    if (group !== 'recent') return all.filter((emoji) => emoji.group === group).map(named);
    const names = new Map(all.flatMap((emoji) => [emoji.text, ...emoji.tones].map((text) => [text, emoji.name])));
    return [...new Set(recent.map(fullEmoji))].map((text) => ({ text, name: names.get(text) ?? text }));
  }, [all, query, group, tone, recent]);

  const pick = (text: string): void => {
    choice.used(text);
    onPick(text);
  };
  const nameOf = useGroupName();
  const title = query.trim() !== '' ? t('messages:emoji.results') : nameOf(group);

  return (
    <div className="flex h-full min-h-0 flex-col gap-2">
      <SearchField
        label={t('messages:emoji.search')}
        value={query}
        onValueChange={setQuery}
        autoComplete="off"
        onKeyDown={(event) => {
          const [first] = shown;
          if (event.key === 'Enter' && first && query.trim() !== '') {
            event.preventDefault();
            pick(first.text);
          } else if (event.key === 'ArrowDown') {
            event.preventDefault();
            grid.current?.querySelector('button')?.focus();
          }
        }}
      />
      <Groups
        current={query.trim() === '' ? group : null}
        panel={panel}
        onChoose={(one) => {
          setQuery('');
          setGroup(one);
          grid.current?.scrollTo({ top: 0 });
        }}
      />
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- the keys come up from the emoji, which are buttons */}
      <div
        id={panel}
        ref={grid}
        role="group"
        aria-label={title}
        onKeyDown={moveWithArrows}
        className="min-h-0 flex-1 overflow-y-auto overscroll-contain [scrollbar-width:thin]"
      >
        {shown.length === 0 && (
          <p role="status" className="px-2 py-6 text-center text-14 text-muted">
            {t('messages:emoji.none')}
          </p>
        )}
        <div className="grid grid-cols-8">
          {shown.map(({ text, name }, index) => (
            <button
              key={text}
              type="button"
              // Tab reaches the first emoji. The arrows move from there.
              tabIndex={index === 0 ? 0 : -1}
              aria-label={name}
              title={name}
              onClick={() => pick(text)}
              className="flex h-10 items-center justify-center overflow-hidden rounded-control text-24 leading-none outline-offset-[-2px] hover:bg-hover active:bg-pressed"
            >
              {text}
            </button>
          ))}
        </div>
      </div>
      <Tones tone={tone} onChoose={choice.chooseTone} />
    </div>
  );
}
