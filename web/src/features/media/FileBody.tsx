import { useLocale } from '../../i18n/locale.ts';
import { clipMarks } from '../messageText/clipMarks.ts';
import type { MediaProps } from './mediaProps.ts';
import { FileSymbol } from './FileSymbol.tsx';
import { downloadAddress } from './shownMedia.ts';
import { sizeText } from './sizeText.ts';
import { UploadRing } from './UploadRing.tsx';
import { useMediaWords } from './useMediaWords.ts';

/** The middle goes where a name is too long: its beginning and its ending say what it is. */
function Name({ name }: { name: string }) {
  const dot = name.lastIndexOf('.');
  const at = Math.max(0, dot > 0 && name.length - dot <= 8 ? dot - 3 : name.length - 6);
  return (
    // Of a direction of its own inside, and at the interface's start as a whole.
    <span aria-hidden="true" className="flex min-w-0 text-14 font-medium">
      <span dir="auto" className="flex max-w-full min-w-0">
        <span className="truncate whitespace-pre">{clipMarks(name.slice(0, at))}</span>
        <span className="shrink-0 whitespace-pre">{clipMarks(name.slice(at))}</span>
      </span>
    </span>
  );
}

/** A file with its name and size; pressing it saves it. */
export function FileBody({ entry, media, conversationId }: MediaProps) {
  const { t } = useMediaWords();
  const locale = useLocale();
  const name = media.name ?? t('chats.file');
  const { url } = media;
  const onItsWay = entry.pending !== null && entry.pending.state !== 'failed' && url === null;
  const ending = /\.([a-z0-9]{1,6})$/i.exec(name)?.[1]?.toUpperCase();
  const facts = [media.size === null ? null : sizeText(media.size, locale), ending].filter(Boolean).join(' · ');
  const words = (
    <span className="flex min-w-0 flex-1 flex-col">
      <span className="sr-only">{url === null ? name : t('media.downloadNamed', { name })}, </span>
      <Name name={name} />
      <span className="tabular truncate text-12 text-muted">
        {url === null && !entry.pending ? t('media.gone') : facts}
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
