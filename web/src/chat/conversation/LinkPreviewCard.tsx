import { useIsBarred } from '../../session/barredHosts.ts';
import { clipCombiningMarks } from '../words/text/clipCombiningMarks.ts';
import type { LinkPreviewData } from './linkPreview.ts';
import { useMessageRowTexts } from '../words/messageRowTexts.ts';

/** Preview that the sender's client created for a link. The address is the link's own, so it shows where it leads. */
export function LinkPreviewCard({ preview }: { preview: LinkPreviewData }) {
  const { t } = useMessageRowTexts();
  const { url, title, description, image } = preview;
  const { host } = new URL(url);
  // The link in the text shows the warning.
  if (useIsBarred(url)) return null;
  return (
    <a
      href={url}
      target="_blank"
      rel="noopener noreferrer nofollow"
      title={url}
      aria-label={`${title}. ${t('messages.preview.open', { host })}`}
      dir="auto"
      className="-mx-1 mt-1 mb-0.5 flex max-w-full min-w-0 overflow-hidden rounded-card border border-line bg-panel text-ink no-underline hover:bg-hover"
    >
      {image !== undefined && (
        <img src={image} alt="" decoding="async" className="size-20 shrink-0 bg-sunken object-cover" />
      )}
      <span data-searched className="flex min-w-0 flex-1 flex-col justify-center px-3 py-1.5">
        <span className="line-clamp-2 text-14 font-semibold wrap-anywhere">{clipCombiningMarks(title)}</span>
        {description !== undefined && (
          <span className="line-clamp-1 text-13 wrap-anywhere text-muted">{clipCombiningMarks(description)}</span>
        )}
        <span className="truncate text-12 text-muted">
          <bdi dir="ltr">{host}</bdi>
        </span>
      </span>
    </a>
  );
}
