import { classNames } from '../../ui/classNames.ts';
import { Skeleton } from '../../ui/Skeleton.tsx';
import { useTexts } from '../../i18n/texts.ts';
import { conversationTexts } from '../words/conversationTexts.ts';

const shapes = ['w-52', 'w-72', 'own w-44', 'own w-64', 'w-60', 'own w-36', 'w-48', 'w-64', 'own w-56'];

/** Placeholder bubbles at the end of the list, where the messages will be. */
export function MessageListSkeleton() {
  const { t } = useTexts(conversationTexts);
  return (
    <div
      role="status"
      aria-label={t('conversation:loading')}
      className="mx-auto flex min-h-0 w-full max-w-200 flex-1 flex-col justify-end gap-2 overflow-hidden px-3 pb-10 sm:px-5"
    >
      {shapes.map((shape, index) => (
        <Skeleton
          key={index}
          className={classNames(
            'h-9 max-w-[75%] shrink-0 rounded-bubble!',
            shape.replace('own ', ''),
            shape.startsWith('own') && 'self-end',
          )}
        />
      ))}
    </div>
  );
}
