import type { Conversation } from '@nolo/api';
import { Megaphone, Search, Timer } from 'lucide-react';
import { useStore } from 'zustand';
import { formatLongDuration } from '../words/describeSystemMessage.ts';
import { useLocale } from '../../i18n/locale.ts';
import { featureStore } from '../../session/features.ts';
import { requestSocialPost } from '../../shell/socialPostRequests.ts';
import { IconButton } from '../../ui/IconButton.tsx';
import { conversationSearchStore } from './conversationSearchStore.ts';
import { useMessageWords } from '../words/useMessageWords.ts';

/** Icon next to the name if new messages disappear. */
export function DisappearingTimerIcon({ conversation: { disappearingSeconds } }: { conversation: Conversation }) {
  const { t } = useMessageWords();
  const locale = useLocale();
  if (disappearingSeconds === null) return null;
  const label = t('messages.timer.header', { time: formatLongDuration(disappearingSeconds, locale) });
  return (
    <span role="img" aria-label={label} title={label} className="inline-flex shrink-0 text-muted">
      <Timer aria-hidden="true" className="size-4" />
    </span>
  );
}

/** Search button, if there is room for it; on phones it is in the details. */
export function SearchButton({ conversationId }: { conversationId: string }) {
  const { t } = useMessageWords();
  return (
    <span className="hidden lg:inline-flex">
      <IconButton
        label={t('messages.search.open')}
        icon={<Search />}
        onClick={() => conversationSearchStore.setState({ conversationId })}
      />
    </span>
  );
}

/** Button to write a post to the user's social platforms, if there are any (spec section 2, main chat screen). */
export function NewSocialPostButton() {
  const { t } = useMessageWords();
  const hasSocial = useStore(featureStore, (state) => state.features['social'] === true);
  if (!hasSocial) return null;
  return (
    // The narrowest phones need the space for the name, and "New" also contains it.
    <span className="inline-flex max-[24rem]:hidden">
      <IconButton
        label={t('messages.social')}
        icon={<Megaphone />}
        onClick={() => requestSocialPost({ entry: 'post' })}
      />
    </span>
  );
}
