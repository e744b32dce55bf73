import type { Conversation, Message } from '@nolo/api';
import { List, Pin } from 'lucide-react';
import { useState } from 'react';
import { IconButton } from '../../ui/IconButton.tsx';
import { lazyDialog } from '../../ui/lazyDialog.tsx';
import { useMessageExcerpt } from './ReplyQuote.tsx';
import { usePinnedMessages } from './usePinnedMessages.ts';
import { useDeferredFirstRender } from './useDeferredFirstRender.ts';
import { useTexts } from '../../i18n/texts.ts';
import { messagesTexts } from '../words/messagesTexts.ts';

const PinnedDialog = lazyDialog(async () => (await import('./PinnedDialog.tsx')).PinnedDialog);

interface PinnedBannerProps {
  conversation: Conversation;
  onJump: (seq: number) => void;
}

/**
 * Banner under the header with the pinned messages. In the first conversation it waits one render longer than the
 * messages.
 */
export function PinnedBanner(props: PinnedBannerProps) {
  const isReady = useDeferredFirstRender(useDeferredFirstRender(true));
  return isReady && <Banner {...props} />;
}

/** Shows one pinned message. Each press leads to the next older one. */
function Banner({ conversation, onJump }: PinnedBannerProps) {
  const { messages } = usePinnedMessages(conversation.id);
  const [position, setPosition] = useState(0);
  const [listing, setListing] = useState(false);
  const current = messages[position] ?? messages[0];
  return (
    <>
      {current && (
        <Strip
          message={current}
          position={messages.indexOf(current)}
          count={messages.length}
          onPress={() => {
            onJump(current.seq);
            setPosition((messages.indexOf(current) + 1) % messages.length);
          }}
          onList={() => setListing(true)}
        />
      )}
      {/* Independent of the banner: the dialog stays open when its last message is unpinned. */}
      {listing && <PinnedDialog conversation={conversation} onJump={onJump} onClose={() => setListing(false)} />}
    </>
  );
}

function Strip(props: { message: Message; position: number; count: number; onPress: () => void; onList: () => void }) {
  const { message, position, count, onPress, onList } = props;
  const { t } = useTexts(messagesTexts);
  return (
    <div className="flex h-13 shrink-0 animate-fade-in items-center gap-1 border-b border-line bg-panel ps-2 pe-2 md:ps-4">
      <button
        type="button"
        onClick={onPress}
        className="flex h-11 min-w-0 flex-1 items-center gap-2.5 rounded-control px-2 text-start hover:bg-hover"
      >
        <Pin aria-hidden="true" className="size-4 shrink-0 text-accent-text" />
        <span className="min-w-0 flex-1">
          <span className="block text-12 font-semibold text-accent-text">
            {count === 1
              ? t('messages:pinned.banner')
              : t('messages:pinned.position', { position: position + 1, count })}
          </span>
          <Excerpt message={message} />
        </span>
      </button>
      <IconButton label={t('messages:pinned.showAll')} icon={<List />} onClick={onList} />
    </div>
  );
}

function Excerpt({ message }: { message: Message }) {
  return (
    <span dir="auto" className="block truncate text-ui-start text-13">
      {useMessageExcerpt(message)}
    </span>
  );
}
