import { compareNames } from '@nolo/rules';
import { ChevronDown, X } from 'lucide-react';
import { useMemo } from 'react';
import { useChatState } from '../chat/context/chatContext.ts';
import { listConversationsByActivity } from '@nolo/client/chat/chatStore';
import { conversationName } from '../chat/words/conversationName.ts';
import { classNames } from '../ui/classNames.ts';
import { searchKinds, searchTimes, type ChosenFilters } from './filters.ts';
import { useTexts } from '../i18n/texts.ts';
import { searchTexts } from './searchTexts.ts';

const chip = 'tap relative h-8 shrink-0 rounded-full text-13 font-medium transition-colors duration-150';
const on = 'bg-accent-subtle text-accent-text';
const off = 'bg-sunken text-muted hover:text-ink';

/** Filters of the search: kind, sender, conversation, and date. */
export function FilterBar({ value, onChange }: { value: ChosenFilters; onChange: (filters: ChosenFilters) => void }) {
  const { t } = useTexts(searchTexts);
  const selfId = useChatState((state) => state.selfId);
  const conversations = useChatState((state) => state.conversations);
  const people = useChatState((state) => state.people);
  const places = useMemo(
    () => listConversationsByActivity(conversations).map((row) => ({ value: row.id, label: conversationName(row, t) })),
    [conversations, t],
  );
  const names = useMemo(() => {
    const others = Object.values(people)
      .filter(({ id, displayName }) => id !== selfId && displayName !== '')
      .map(({ id, displayName }) => ({ value: id, label: displayName }))
      .toSorted((a, b) => compareNames(a.label, b.label));
    return [{ value: selfId, label: t('common.you') }, ...others];
  }, [people, selfId, t]);
  const isFiltered = Object.values(value).some((one) => one !== null);
  return (
    <div className="flex shrink-0 flex-col gap-1.5 pb-2">
      <div
        role="group"
        aria-label={t('search:kind')}
        className="flex gap-1.5 overflow-x-auto px-4 pt-0.5 [scrollbar-width:none] md:px-3"
      >
        {([null, ...searchKinds] as const).map((kind) => (
          <button
            key={kind ?? 'all'}
            type="button"
            aria-pressed={kind === value.kind}
            onClick={() => onChange({ ...value, kind })}
            className={classNames(chip, 'px-3', kind === value.kind ? on : off)}
          >
            {t(`search:kinds.${kind ?? 'all'}`)}
          </button>
        ))}
      </div>
      <div className="flex gap-1.5 overflow-x-auto px-4 pb-0.5 [scrollbar-width:none] md:px-3">
        <Choice
          label={t('search:who')}
          any={t('search:anyone')}
          value={value.who}
          options={names}
          onChange={(who) => onChange({ ...value, who })}
        />
        <Choice
          label={t('search:where')}
          any={t('search:anywhere')}
          value={value.where}
          options={places}
          onChange={(where) => onChange({ ...value, where })}
        />
        <Choice
          label={t('search:when')}
          any={t('search:times.any')}
          value={value.when}
          options={searchTimes.map((time) => ({ value: time, label: t(`search:times.${time}`) }))}
          onChange={(when) => onChange({ ...value, when: searchTimes.find((time) => time === when) ?? null })}
        />
        {isFiltered && (
          <button
            type="button"
            onClick={() => onChange({ kind: null, who: null, where: null, when: null })}
            className={classNames(chip, off, 'inline-flex items-center gap-1 px-2.5')}
          >
            <X aria-hidden="true" className="size-3.5" />
            {t('search:clear')}
          </button>
        )}
      </div>
    </div>
  );
}

interface ChoiceProps {
  label: string;
  /** Label if nothing is chosen. */
  any: string;
  value: string | null;
  options: readonly { value: string; label: string }[];
  onChange: (value: string | null) => void;
}

/** Choice among options, as a native select that looks like a chip. */
function Choice({ label, any, value, options, onChange }: ChoiceProps) {
  // A value chosen elsewhere and unknown here can only be removed.
  const known = value === null || options.some((option) => option.value === value);
  return (
    <span className="relative inline-flex max-w-44 shrink-0">
      <select
        aria-label={label}
        value={value ?? ''}
        onChange={(event) => onChange(event.target.value || null)}
        className={classNames(
          chip,
          '[field-sizing:content] max-w-full appearance-none truncate ps-3 pe-7',
          value === null ? off : on,
        )}
      >
        <option value="" className="bg-overlay text-ink">
          {any}
        </option>
        {!known && (
          <option value={value} className="bg-overlay text-ink">
            {label}
          </option>
        )}
        {options.map((option) => (
          <option key={option.value} value={option.value} className="bg-overlay text-ink">
            {option.label}
          </option>
        ))}
      </select>
      <ChevronDown
        aria-hidden="true"
        className="pointer-events-none absolute inset-y-0 end-2 my-auto size-3.5 text-muted"
      />
    </span>
  );
}
