import type { Conversation } from '@nolo/api';
import { Info, LockKeyhole, Megaphone, Search, Timer } from 'lucide-react';
import type { ReactNode } from 'react';
import { useStore } from 'zustand';
import { formatLongDuration } from '../words/describeSystemMessage.ts';
import { useLocale } from '../../i18n/locale.ts';
import { featureStore } from '../../session/features.ts';
import { requestSocialPost } from '../../shell/socialPostRequests.ts';
import { IconButton } from '../../ui/IconButton.tsx';
import { useChatState } from '../context/chatContext.ts';
import { detailsPaneStore } from '../context/detailsPaneStore.ts';
import { BackToList } from './BackToList.tsx';
import { conversationSearchStore } from './conversationSearch.ts';
import { useTexts } from '../../i18n/texts.ts';
import { conversationTexts } from '../words/conversationTexts.ts';
import { messagesTexts } from '../words/messagesTexts.ts';

export interface HeaderFrameProps {
  conversation: Conversation;
  name: string;
  picture: ReactNode;
  /** Mark next to the name. */
  mark?: ReactNode;
  /** Line below the name. */
  line: ReactNode;
  /** Buttons before the one for details. */
  children: ReactNode;
  /** Mark on the button for details. */
  badge?: ReactNode;
}

/** Header of a conversation, which is the same for people and groups. */
export function HeaderFrame({ conversation, name, mark, picture, line, children, badge }: HeaderFrameProps) {
  const { t } = useTexts(conversationTexts);
  const open = useStore(detailsPaneStore, (state) => state.open);
  return (
    <header
      data-keep-clear
      className="box-content flex h-16 shrink-0 items-center border-b border-line bg-panel px-1 pt-[env(safe-area-inset-top)] md:gap-1 md:ps-4 md:pe-2"
    >
      <BackToList />
      {picture}
      <div className="@container ms-2 min-w-0 flex-1">
        <div className="flex min-w-0 items-center gap-1.5">
          <h1 dir="auto" className="truncate text-ui-start text-16 font-semibold">
            {name}
          </h1>
          {mark}
          <EncryptionIcon conversationId={conversation.id} />
          <DisappearingTimerIcon conversation={conversation} />
        </div>
        {line}
      </div>
      {children}
      <span className="relative inline-flex">
        <IconButton
          label={t('conversation:info')}
          icon={<Info />}
          aria-expanded={open}
          onClick={() => detailsPaneStore.setState({ open: !open })}
        />
        {badge}
      </span>
    </header>
  );
}

/** Icon next to the name once this device checked that messages are sealed. The server's word is not enough. */
function EncryptionIcon({ conversationId }: { conversationId: string }) {
  const { t } = useTexts(conversationTexts);
  const isChecked = useChatState(({ standings }) => {
    const standing = standings[conversationId];
    return standing?.isSealed === true || standing?.send?.state === 'sealed';
  });
  if (!isChecked) return null;
  const label = t('conversation:encrypted');
  return (
    <span role="img" aria-label={label} title={label} className="inline-flex shrink-0 text-muted">
      <LockKeyhole aria-hidden="true" className="size-3.5" />
    </span>
  );
}

/** Icon next to the name if new messages disappear. */
function DisappearingTimerIcon({ conversation: { disappearingSeconds } }: { conversation: Conversation }) {
  const { t } = useTexts(messagesTexts);
  const locale = useLocale();
  if (disappearingSeconds === null) return null;
  const label = t('messages:timer.header', { time: formatLongDuration(disappearingSeconds, locale) });
  return (
    <span role="img" aria-label={label} title={label} className="inline-flex shrink-0 text-muted">
      <Timer aria-hidden="true" className="size-4" />
    </span>
  );
}

/** Search button, if there is room for it; on phones it is in the details. */
export function SearchButton({ conversationId }: { conversationId: string }) {
  const { t } = useTexts(messagesTexts);
  return (
    <span className="hidden lg:inline-flex">
      <IconButton
        label={t('messages:search.open')}
        icon={<Search />}
        onClick={() => conversationSearchStore.setState({ conversationId })}
      />
    </span>
  );
}

/** Button to write a post to the user's social platforms, if there are any (spec section 2, main chat screen). */
export function NewSocialPostButton() {
  const { t } = useTexts(messagesTexts);
  const hasSocial = useStore(featureStore, (state) => state.features['social'] === true);
  if (!hasSocial) return null;
  return (
    // The narrowest phones need the space for the name, and "New" also contains it.
    <span className="inline-flex max-[24rem]:hidden">
      <IconButton
        label={t('messages:social')}
        icon={<Megaphone />}
        onClick={() => requestSocialPost({ entry: 'post' })}
      />
    </span>
  );
}
