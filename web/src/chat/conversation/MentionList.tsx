import { Avatar } from '../../ui/Avatar.tsx';
import { classNames } from '../../ui/classNames.ts';
import { SkeletonRows } from '../../ui/Skeleton.tsx';
import type { MentionPicker } from './useMentionPicker.ts';
import { useTexts } from '../../i18n/texts.ts';
import { messagesTexts } from '../words/messagesTexts.ts';

export const mentionOptionId = (id: string, index: number): string => `${id}-${index}`;

/** People who can be mentioned, above the text field, which keeps the focus and names the active one. */
export function MentionList({ id, picker }: { id: string; picker: MentionPicker }) {
  const { t } = useTexts(messagesTexts);
  const { candidates, current, pick } = picker;
  return (
    <div className="absolute inset-x-3 bottom-full z-20 mb-1 max-w-96 overflow-hidden rounded-card border border-line bg-overlay p-1 shadow-overlay sm:inset-x-5">
      <p role="status" className="sr-only">
        {t('messages:mention.count', { count: candidates.length })}
      </p>
      {candidates.length === 0 && <SkeletonRows rows={2} label={t('messages:details.loading')} />}
      <div id={id} role="listbox" aria-label={t('messages:mention.label')}>
        {candidates.map((candidate, index) => (
          // oxlint-disable-next-line jsx-a11y/click-events-have-key-events -- the keys are those of the text field
          <div
            key={candidate.userId}
            id={mentionOptionId(id, index)}
            role="option"
            aria-selected={index === current}
            tabIndex={-1}
            // Pressing it must not take the focus from the text field.
            onPointerDown={(event) => event.preventDefault()}
            onClick={() => pick(candidate)}
            className={classNames(
              'flex min-h-11 cursor-pointer items-center gap-2.5 rounded-control px-2',
              index === current ? 'bg-hover' : 'hover:bg-hover',
            )}
          >
            <Avatar name={candidate.displayName} imageUrl={candidate.profileImageUrl} size={32} />
            <span dir="auto" className="min-w-0 flex-1 truncate text-ui-start text-14 font-medium">
              {candidate.displayName}
            </span>
          </div>
        ))}
      </div>
    </div>
  );
}
