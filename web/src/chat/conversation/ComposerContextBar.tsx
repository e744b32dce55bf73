import { Pencil, Reply, X } from 'lucide-react';
import type { ReactNode } from 'react';
import { usePeopleNames } from '../words/peopleNames.ts';
import { PlainIconButton } from '../../ui/PlainIconButton.tsx';
import { useMessageExcerpt } from './ReplyQuote.tsx';
import type { ComposerMode } from './useComposerMode.ts';
import { useTexts } from '../../i18n/texts.ts';
import { conversationTexts } from '../words/conversationTexts.ts';
import { messagesTexts } from '../words/messagesTexts.ts';

/** Message being edited or replied to, above the text field. */
export function ComposerContextBar({ composing, onCancel }: { composing: ComposerMode; onCancel: () => void }) {
  const { t } = useTexts(conversationTexts, messagesTexts);
  const { selfId, nameOf } = usePeopleNames();
  const { edited, replyTo } = composing;
  const excerpt = useMessageExcerpt(edited ?? replyTo);
  if (edited) {
    return (
      <Bar
        icon={<Pencil />}
        title={t('conversation:editing')}
        text={excerpt}
        cancel={t('conversation:cancelEditing')}
        onCancel={onCancel}
      />
    );
  }
  if (!replyTo) return null;
  const title =
    replyTo.senderId === selfId
      ? t('messages:replyingToYou')
      : t('messages:replyingTo', { name: nameOf(replyTo.senderId) });
  return (
    <Bar
      icon={<Reply className="rtl:-scale-x-100" />}
      title={title}
      text={excerpt}
      cancel={t('messages:cancelReply')}
      onCancel={onCancel}
    />
  );
}

function Bar(props: { icon: ReactNode; title: string; text: string; cancel: string; onCancel: () => void }) {
  const { icon, title, text, cancel, onCancel } = props;
  return (
    <div className="mb-2 flex items-center gap-2.5 border-s-2 border-accent ps-3 text-13">
      <span aria-hidden="true" className="shrink-0 text-accent-text [&_svg]:size-4">
        {icon}
      </span>
      <span className="min-w-0 flex-1">
        <span dir="auto" className="block truncate text-ui-start font-semibold text-accent-text">
          {title}
        </span>
        <span dir="auto" className="block truncate text-ui-start text-muted">
          {text}
        </span>
      </span>
      <PlainIconButton size="small" label={cancel} icon={<X />} onClick={onCancel} />
    </div>
  );
}
