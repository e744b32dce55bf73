import type { Message } from '@nolo/api';
import { Copy, Eraser, Forward, Star, Trash2, X } from 'lucide-react';
import { IconButton } from '../../ui/IconButton.tsx';
import { useTexts } from '../../i18n/texts.ts';
import { conversationTexts } from '../words/conversationTexts.ts';
import { messagesTexts } from '../words/messagesTexts.ts';

export interface SelectionBarProps {
  messages: readonly Message[];
  /** True if the user may delete all of them for everyone. */
  deletable: boolean;
  onCopy: () => void;
  onForward: () => void;
  onStar: () => void;
  onHide: () => void;
  onDelete: () => void;
  onEnd: () => void;
}

/** Replaces the header during a selection. Shows the number of selected messages and the actions on them. */
export function SelectionBar(props: SelectionBarProps) {
  const { messages, deletable, onCopy, onForward, onStar, onHide, onDelete, onEnd } = props;
  const { t } = useTexts(conversationTexts, messagesTexts);
  const haveWords = messages.some(({ content }) => content !== '');
  return (
    <div
      role="toolbar"
      aria-label={t('messages:selection.bar')}
      className="box-content flex h-16 shrink-0 items-center border-b border-line bg-panel px-1 pt-[env(safe-area-inset-top)] md:gap-1 md:px-4"
    >
      <IconButton label={t('messages:selection.cancel')} icon={<X />} onClick={onEnd} />
      <h1 className="min-w-0 flex-1 truncate ps-1 text-16 font-semibold">
        <span role="status" className="tabular">
          <span className="max-[24rem]:sr-only">{t('messages:selection.count', { count: messages.length })}</span>
          <span aria-hidden="true" className="hidden max-[24rem]:inline">
            {messages.length}
          </span>
        </span>
      </h1>
      {haveWords && <IconButton label={t('common.copy')} icon={<Copy />} onClick={onCopy} />}
      <IconButton label={t('messages:forward')} icon={<Forward className="rtl:-scale-x-100" />} onClick={onForward} />
      <IconButton label={t('messages:star')} icon={<Star />} onClick={onStar} />
      <IconButton label={t('conversation:deleteForMe')} icon={<Eraser />} onClick={onHide} />
      {deletable && (
        <IconButton kind="danger" label={t('conversation:deleteForEveryone')} icon={<Trash2 />} onClick={onDelete} />
      )}
    </div>
  );
}
