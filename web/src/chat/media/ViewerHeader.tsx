import { Download, MessageSquare, X, ZoomIn, ZoomOut } from 'lucide-react';
import { Dialog as RadixDialog } from 'radix-ui';
import type { RefObject } from 'react';
import { formatExactTime } from '../../i18n/dates.ts';
import { useLocale } from '../../i18n/locale.ts';
import { classNames } from '../../ui/classNames.ts';
import { PlainIconButton } from '../../ui/PlainIconButton.tsx';
import { useDisplayNameOf } from '../words/useDisplayNameOf.ts';
import { clipCombiningMarks } from '../words/text/clipCombiningMarks.ts';
import { downloadAddress, type ShownMedia } from '@nolo/client/chat/shownMedia';
import type { MessageListEntry } from '@nolo/client/chat/timeline';
import type { ZoomHandling } from './useZoom.ts';
import { zoomStep } from './zoom.ts';
import { useTexts } from '../../i18n/texts.ts';
import { mediaTexts } from './mediaTexts.ts';

const buttons = 'size-11 text-[#fff]! hover:bg-[rgb(255_255_255/0.14)]!';

interface ViewerHeaderProps {
  entry: MessageListEntry;
  media: ShownMedia;
  /** Position among the media of the conversation. */
  position: { index: number; total: number };
  zoom: RefObject<ZoomHandling | null>;
  zoomed: boolean;
  onClose: () => void;
  onJump: (seq: number) => void;
}

/** Header of the viewer: the sender, and actions. */
export function ViewerHeader(props: ViewerHeaderProps) {
  const {
    entry,
    media,
    position: { index, total },
    zoom,
    zoomed,
    onClose,
    onJump,
  } = props;
  const { t } = useTexts(mediaTexts);
  const nameOf = useDisplayNameOf();
  const locale = useLocale();
  const seq = entry.message?.seq;
  const isPicture = media.kind === 'image';
  return (
    <header
      data-keep-clear
      className="flex min-h-14 shrink-0 items-center gap-1 ps-4 pe-2 pt-[env(safe-area-inset-top)]"
    >
      <div className="min-w-0 flex-1 py-1.5">
        <RadixDialog.Title dir="auto" className="truncate text-ui-start text-14 font-semibold">
          {clipCombiningMarks(nameOf(entry.senderId))}
        </RadixDialog.Title>
        <p className="tabular truncate text-12 text-[rgb(255_255_255/0.72)]">
          {total > 1 && (
            <>
              <span role="status">{t('media:viewer.position', { position: index + 1, total })}</span>
              {' · '}
            </>
          )}
          {formatExactTime(entry.at, locale)}
        </p>
      </div>
      {isPicture && (
        <span className="hidden sm:inline-flex">
          <PlainIconButton
            label={t('media:viewer.zoomOut')}
            icon={<ZoomOut />}
            className={buttons}
            disabled={!zoomed}
            onClick={() => zoom.current?.by(1 / zoomStep)}
          />
          <PlainIconButton
            label={t('media:viewer.zoomIn')}
            icon={<ZoomIn />}
            className={buttons}
            onClick={() => zoom.current?.by(zoomStep)}
          />
        </span>
      )}
      {seq !== undefined && (
        <PlainIconButton
          label={t('media:viewer.showInChat')}
          icon={<MessageSquare />}
          className={buttons}
          onClick={() => {
            onClose();
            onJump(seq);
          }}
        />
      )}
      {media.url !== null && (
        <a
          href={downloadAddress(media.url, media.name)}
          download={media.name ?? ''}
          aria-label={t('media:download')}
          className={classNames('inline-flex items-center justify-center rounded-control', buttons)}
        >
          <Download aria-hidden="true" className="size-5" />
        </a>
      )}
      <RadixDialog.Close
        aria-label={t('common.close')}
        className={classNames('inline-flex items-center justify-center rounded-control', buttons)}
      >
        <X aria-hidden="true" className="size-5" />
      </RadixDialog.Close>
    </header>
  );
}
