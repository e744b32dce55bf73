import { FileText, MessageSquareText, Play, X } from 'lucide-react';
import { useEffect, useState } from 'react';
import { useLocale } from '../../i18n/locale.ts';
import { readMediaInfo } from '@nolo/client/chat/mediaInfo';
import type { UnsentMedia } from '@nolo/client/chat/ports';
import { Button } from '../../ui/Button.tsx';
import { classNames } from '../../ui/classNames.ts';
import { Spinner } from '../../ui/Spinner.tsx';
import { FileName } from './FileName.tsx';
import { FileSymbol } from './FileSymbol.tsx';
import { isPicture } from './mediaRules.ts';
import { prepareMedia, type PreparedMedia } from './prepareMedia.ts';
import { sizeText } from '../../i18n/sizeText.ts';
import { changeAttachment, chooseAttachment, clearAttachments, removeAttachment } from './pendingAttachmentsStore.ts';
import type { PendingAttachments, PendingAttachment } from './pendingAttachmentsStore.ts';
import { useTexts } from '../../i18n/texts.ts';
import { mediaTexts } from './mediaTexts.ts';

export interface PendingAttachmentsPanelProps {
  conversationId: string;
  attachments: PendingAttachments;
  /** Current text of the text field: the caption of the lead item. */
  draft: string;
  /** Focuses the text field after each choice. */
  onChoose: () => void;
}

/** Pending attachments above the text field. Each has its own caption, which is edited below. */
export function PendingAttachmentsPanel(props: PendingAttachmentsPanelProps) {
  const { conversationId, attachments, draft, onChoose } = props;
  const { t } = useTexts(mediaTexts);
  const { items, chosen } = attachments;
  const current = items.find(({ id }) => id === chosen);
  return (
    <section
      aria-label={t('media:pending.label')}
      className="mb-2 animate-fade-in overflow-hidden rounded-card border border-line bg-raised"
    >
      <ul className="flex gap-2 overflow-x-auto p-2 [scrollbar-width:thin]">
        {items.map((item) => (
          <Tile
            key={item.id}
            item={item}
            chosen={items.length > 1 && item.id === chosen}
            captioned={(item.id === attachments.lead ? draft : item.caption).trim() !== ''}
            onChoose={() => {
              chooseAttachment(conversationId, item.id);
              onChoose();
            }}
            onRemove={() => {
              removeAttachment(conversationId, item.id);
              onChoose();
            }}
          />
        ))}
      </ul>
      <div className="flex min-h-9 flex-wrap items-center gap-x-3 gap-y-1 border-t border-line px-3 py-1 text-12 text-muted">
        <span role="status" className="tabular me-auto">
          {t('media:pending.count', { count: items.length })}
        </span>
        {current && canBePicture(current) && (
          <label className="tap flex items-center gap-1.5" title={t('media:pending.asFileHint')}>
            <input
              type="checkbox"
              checked={current.asFile}
              onChange={(event) => changeAttachment(conversationId, current.id, { asFile: event.target.checked })}
              className="size-4 accent-(--nolo-accent)"
            />
            {t('media:pending.asFile')}
          </label>
        )}
        {items.length > 1 && (
          <Button
            kind="quiet"
            size="small"
            onClick={() => {
              clearAttachments(conversationId);
              onChoose();
            }}
          >
            {t('media:pending.clear')}
          </Button>
        )}
        {current?.asFile === true && canBePicture(current) && (
          <p className="w-full pb-1">{t('media:pending.asFileHint')}</p>
        )}
      </div>
    </section>
  );
}

const canBePicture = ({ file }: PendingAttachment): boolean => isPicture(file.type) || file.type.startsWith('video/');

interface TileProps {
  item: PendingAttachment;
  /** True if the text field edits its caption. */
  chosen: boolean;
  captioned: boolean;
  onChoose: () => void;
  onRemove: () => void;
}

function Tile({ item, chosen, captioned, onChoose, onRemove }: TileProps) {
  const { t } = useTexts(mediaTexts);
  const locale = useLocale();
  const { file } = item;
  const prepared = usePrepared(item);
  const still = prepared?.still ?? null;
  const isVideo = prepared?.messageType === 'video';
  return (
    <li className="relative shrink-0">
      <button
        type="button"
        aria-pressed={chosen}
        aria-label={[
          t('media:pending.choose', { name: file.name }),
          sizeText(file.size, locale),
          captioned && t('media:pending.captioned'),
        ]
          .filter(Boolean)
          .join(', ')}
        title={file.name}
        onClick={onChoose}
        className={classNames(
          'relative flex h-24 items-center justify-center overflow-hidden rounded-card bg-sunken text-muted outline-offset-[-3px] focus-visible:outline-2 focus-visible:outline-focus',
          still === null ? 'w-36 flex-col gap-1 px-2' : 'w-24',
          chosen && 'ring-2 ring-accent ring-inset',
        )}
      >
        {still !== null ? (
          <img src={still} alt="" className={classNames('size-full object-cover', chosen && 'opacity-85')} />
        ) : prepared ? (
          <>
            <FileSymbol name={file.name} className="size-6" />
            <FileName name={file.name} className="w-full justify-center text-12 text-ink" />
            <span className="tabular text-12">{sizeText(file.size, locale)}</span>
          </>
        ) : (
          <span role="status" aria-label={t('media:pending.preparing')}>
            <Spinner className="size-5" />
          </span>
        )}
        {isVideo && still !== null && (
          <Play aria-hidden="true" className="absolute size-7 fill-current text-[#fff] drop-shadow" />
        )}
        {captioned && (
          <span className="absolute start-1 bottom-1 rounded-full bg-[rgb(0_0_0/0.6)] p-1 text-[#fff]">
            {still === null ? (
              <FileText aria-hidden="true" className="size-3" />
            ) : (
              <MessageSquareText aria-hidden="true" className="size-3" />
            )}
          </span>
        )}
        {chosen && <span className="pointer-events-none absolute inset-0 rounded-card ring-2 ring-accent ring-inset" />}
      </button>
      <button
        type="button"
        aria-label={t('media:pending.remove', { name: file.name })}
        onClick={onRemove}
        className="absolute end-1 top-1 inline-flex size-6 items-center justify-center rounded-full bg-[rgb(0_0_0/0.6)] text-[#fff] before:absolute before:-inset-2 focus-visible:outline-2 focus-visible:outline-focus"
      >
        <X aria-hidden="true" className="size-4" />
      </button>
    </li>
  );
}

interface Prepared {
  readonly file: File;
  readonly asFile: boolean;
  readonly messageType: UnsentMedia['messageType'];
  /** URL of the item's still picture. */
  readonly still: string | null;
}

/** Returns the still picture of a picture or video, or null for other files. */
function stillOf({ media, files }: PreparedMedia): Blob | null {
  if (files.poster) return files.poster;
  return media.messageType === 'image' && readMediaInfo(media.info).width !== undefined ? files.file : null;
}

function usePrepared({ file, asFile }: PendingAttachment): Prepared | null {
  const [prepared, setPrepared] = useState<Prepared | null>(null);
  useEffect(() => {
    let gone = false;
    let still: string | null = null;
    prepareMedia(file, asFile).then(
      (made) => {
        if (gone) return;
        const source = stillOf(made);
        still = source && URL.createObjectURL(source);
        setPrepared({ file, asFile, messageType: made.media.messageType, still });
        // Sending prepares it again and reports the error.
      },
      () => undefined,
    );
    return () => {
      gone = true;
      if (still !== null) URL.revokeObjectURL(still);
    };
  }, [file, asFile]);
  return prepared?.file === file && prepared.asFile === asFile ? prepared : null;
}
