import { Megaphone, MessageCircle, Share2 } from 'lucide-react';
import { useContext, useRef, useState, type ReactNode } from 'react';
import { useStore } from 'zustand';
import { ChatContext } from '../chat/context/chatContext.ts';
import type { UnsentMedia } from '@nolo/client/chat/ports';
import { featureStore } from '../session/features.ts';
import { requestSocialPost, type SocialPostRequest } from '../shell/socialPostRequests.ts';
import { useShareActions } from '../shell/useShareActions.ts';
import { showFailure } from '../ui/failures.ts';
import { Button } from '../ui/Button.tsx';
import { CopyField } from '../ui/CopyField.tsx';
import { Dialog } from '../ui/Dialog.tsx';
import { lazyDialog } from '../ui/lazyDialog.tsx';
import { useTexts } from '../i18n/texts.ts';
import { shareTexts } from './shareTexts.ts';

/* Guests in a meeting have no chats and do not load this. */
const SendToChats = lazyDialog(async () => (await import('./SendToChats.tsx')).SendToChats);

/** Shareable item: a meeting, a group, a contact, a status update. */
export interface SharedItem {
  name: string;
  /** Text about the item, without its link. */
  text: string;
  link?: { url: string; label: string; copyLabel: string; copied: string };
  /** Code to read aloud or write down. `spelled`: letter by letter. */
  code?: { spelled: boolean; value: string; label: string; copyLabel: string; copied: string };
  /** Picture or video, sent to chats with the text. */
  media?: UnsentMedia;
  /** Returns the medium as a file, for the system's share sheet. */
  file?: () => Promise<File>;
  /** Content of a new post on a social platform. Absent: no such option. */
  post?: SocialPostRequest;
}

interface ShareDialogProps {
  title: string;
  description?: string;
  /** Item to share. Null if there is nothing to share, which `children` explains. */
  shared: SharedItem | null;
  done: { label: string; onSelect: () => void };
  onClose: () => void;
  /** Additional buttons for the shared item. */
  more?: ReactNode;
  children?: ReactNode;
}

/** Shares any shareable item: by link and code, to chats, through the system, and to social platforms. */
export function ShareDialog({ title, description, shared, done, onClose, more, children }: ShareDialogProps) {
  const { copy } = useShareActions();
  const [choosing, setChoosing] = useState(false);
  const first = useRef<HTMLButtonElement>(null);

  if (choosing && shared) {
    const { text, link, media } = shared;
    const content = [text, link?.url].filter((value) => value !== undefined && value !== '').join('\n');
    return <SendToChats content={content} media={media} onClose={onClose} />;
  }
  return (
    <Dialog
      open
      onOpenChange={(open) => open || onClose()}
      initialFocus={() => first.current}
      title={title}
      {...(description !== undefined && { description })}
      footer={<Button onClick={done.onSelect}>{done.label}</Button>}
    >
      {children}
      {shared && (
        <div className="flex flex-col gap-4">
          {shared.name !== '' && (
            <p dir="auto" className="line-clamp-2 text-14 font-semibold text-ui-start wrap-anywhere">
              {shared.name}
            </p>
          )}
          {shared.link && (
            <CopyField
              ref={first}
              label={shared.link.label}
              value={shared.link.url}
              copyLabel={shared.link.copyLabel}
              onCopy={() => shared.link && void copy(shared.link.url, shared.link.copied)}
            />
          )}
          {shared.code && (
            <CopyField
              large={shared.code.spelled}
              label={shared.code.label}
              value={shared.code.value}
              copyLabel={shared.code.copyLabel}
              onCopy={() => shared.code && void copy(shared.code.value, shared.code.copied)}
            />
          )}
          <Ways shared={shared} onChats={() => setChoosing(true)} onClose={onClose} />
        </div>
      )}
      {more !== undefined && <div className="flex flex-wrap gap-2 not-first:mt-4 empty:hidden">{more}</div>}
    </Dialog>
  );
}

/** Lists the other available ways to share. */
function Ways({ shared, onChats, onClose }: { shared: SharedItem; onChats: () => void; onClose: () => void }) {
  const { t } = useTexts(shareTexts);
  const { send, hasSheet } = useShareActions();
  const hasChats = useContext(ChatContext) !== null;
  const hasSocial = useStore(featureStore, (state) => state.features['social'] === true);
  const { name, text, link, file, post } = shared;
  const bySystem = async (): Promise<void> => {
    try {
      const files = file && [await file()];
      await send(
        {
          ...(name !== '' && { title: name }),
          ...(text !== '' && { text }),
          ...(link && { url: link.url }),
          ...(files && { files }),
        },
        link?.copied ?? text,
      );
    } catch {
      showFailure({ title: t('share:failed') });
    }
  };
  const bySocial = hasChats && hasSocial && post;
  if (!hasChats && !hasSheet) return null;
  return (
    <ul aria-label={t('share:ways')} className="grid grid-cols-[repeat(auto-fit,minmax(6.5rem,1fr))] gap-2">
      {hasChats && <Way icon={<MessageCircle />} label={t('share:chats')} onSelect={onChats} />}
      {hasSheet && <Way icon={<Share2 />} label={t('share:system')} onSelect={() => void bySystem()} />}
      {bySocial && (
        <Way
          icon={<Megaphone className="rtl:-scale-x-100" />}
          label={t('share:social')}
          onSelect={() => {
            onClose();
            requestSocialPost(bySocial);
          }}
        />
      )}
    </ul>
  );
}

function Way({ icon, label, onSelect }: { icon: ReactNode; label: string; onSelect: () => void }) {
  return (
    <li>
      <button
        type="button"
        onClick={onSelect}
        className="flex size-full min-h-18 flex-col items-center justify-center gap-1.5 rounded-card border border-line px-2 py-2.5 text-13 font-medium transition-colors duration-150 hover:bg-hover active:bg-pressed [&_svg]:size-5 [&_svg]:text-accent-text"
      >
        <span aria-hidden="true">{icon}</span>
        <span className="max-w-full text-center leading-tight wrap-anywhere">{label}</span>
      </button>
    </li>
  );
}
