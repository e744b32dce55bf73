import type { Conversation } from '@nolo/api';
import { Hourglass } from 'lucide-react';
import { Banner } from '../ui/Banner.tsx';
import { useMessageWords } from '../chat/words/useMessageWords.ts';
import { useUnapprovedMessageCount } from '../chat/context/groupQueries.ts';

/** Shows authors that their messages are pending approval. */
export function UnapprovedNotice({ conversation }: { conversation: Conversation }) {
  const { t } = useMessageWords();
  const count = useUnapprovedMessageCount(conversation);
  if (count === 0 || conversation.myRole !== 'member') return null;
  return (
    <Banner tone="info" icon={<Hourglass aria-hidden="true" />}>
      {t('conversation.group.heldOwn', { count })}
    </Banner>
  );
}
