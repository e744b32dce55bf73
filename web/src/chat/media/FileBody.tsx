import { useLocale } from '../../i18n/locale.ts';
import type { MediaProps } from './mediaProps.ts';
import { FileName } from './FileName.tsx';
import { FileSymbol } from './FileSymbol.tsx';
import { downloadAddress } from '@nolo/client/chat/shownMedia';
import { sizeText } from '../../i18n/sizeText.ts';
import { UploadRing, useProgressText } from './UploadRing.tsx';
import { useTexts } from '../../i18n/texts.ts';
import { mediaTexts } from './mediaTexts.ts';

/** File with its name and size. A press saves it. */
export function FileBody({ entry, media, conversationId }: MediaProps) {
  const { t } = useTexts(mediaTexts);
  const locale = useLocale();
  const name = media.name ?? t('chats.file');
  const { url } = media;
  const onItsWay = entry.pending !== null && entry.pending.state !== 'failed' && url === null;
  const come = useProgressText(media.key);
  const ending = /\.([a-z0-9]{1,6})$/i.exec(name)?.[1]?.toUpperCase();
  const facts = [media.size === null ? null : sizeText(media.size, locale), ending].filter(Boolean).join(' · ');
  // Leaves room beside the text for the time in the bubble's corner.
  const words = (
    <span className="flex min-w-0 flex-1 flex-col">
      <span className="sr-only">{url === null ? name : t('media:downloadNamed', { name })}, </span>
      <span data-searched className="flex min-w-0">
        <FileName name={name} className="text-14 font-medium" />
      </span>
      <span className="tabular truncate pe-17 text-12 text-muted" title={media.from ?? undefined}>
        {url === null && !entry.pending
          ? t('media:gone')
          : media.from === null
            ? facts
            : onItsWay
              ? come
              : t('media:link.from', { host: media.from })}
      </span>
    </span>
  );
  const symbol = (
    <span className="inline-flex size-11 shrink-0 items-center justify-center rounded-card bg-accent-subtle text-accent-text">
      <FileSymbol name={name} className="size-5.5" />
    </span>
  );
  const classes = 'flex min-h-12 w-full items-center gap-2.5 rounded-card text-start no-underline text-ink';
  if (url === null) {
    return (
      <div className={classes}>
        {onItsWay ? <UploadRing conversationId={conversationId} clientMessageId={media.key} name={name} /> : symbol}
        {words}
      </div>
    );
  }
  return (
    <a
      href={downloadAddress(url, name)}
      download={name}
      className={`${classes} hover:bg-hover focus-visible:outline-2 focus-visible:outline-focus`}
    >
      {symbol}
      {words}
    </a>
  );
}
