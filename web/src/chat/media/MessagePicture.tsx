import { ImageOff, Play } from 'lucide-react';
import { useState, useSyncExternalStore } from 'react';
import { useMessageRowTexts } from '../words/messageRowTexts.ts';
import { classNames } from '../../ui/classNames.ts';
import type { LocalMedia } from './localMedia.ts';
import { formatClockDuration } from '../../i18n/sizeText.ts';
import type { ShownMedia } from '@nolo/client/chat/shownMedia';
import type { MessageListEntry } from '@nolo/client/chat/timeline';
import { toThumbhashUrl } from './thumbhash.ts';
import { UploadRing } from './UploadRing.tsx';
import { useLocalMedia } from './useLocalMedia.ts';
import { viewerStore } from './viewerStore.ts';
import { listen } from '../../device/listen.ts';
import { useTexts } from '../../i18n/texts.ts';
import { mediaTexts } from './mediaTexts.ts';

const reducedMotion = '(prefers-reduced-motion: reduce)';

const followMotion = (onChange: () => void) => listen(matchMedia(reducedMotion), ['change'], onChange);

function useLessMotion(): boolean {
  return useSyncExternalStore(followMotion, () => matchMedia(reducedMotion).matches);
}

/** Returns true for an animated picture. Older messages lack the flag. */
export function isAnimatedPicture({ kind, info }: ShownMedia): boolean {
  return kind === 'image' && (info.moves === true || info.type === 'image/gif');
}

/** Returns the still picture of a picture or video on this device. */
function stillOf(local: LocalMedia, media: ShownMedia, lessMotion: boolean): string | null {
  if (media.kind === 'video') return local.poster;
  return isAnimatedPicture(media) && lessMotion ? (local.small ?? local.file) : local.file;
}

export interface PictureProps {
  entry: MessageListEntry;
  media: ShownMedia;
  conversationId: string;
  /** Width in screen pixels. */
  width: number;
}

/**
 * Returns the URLs of a picture in several sizes. Animated pictures play in full, unless the user prefers reduced
 * motion.
 */
export function pictureSources(media: ShownMedia, lessMotion: boolean): { src: string; srcSet?: string } | null {
  const still = media.kind === 'video' ? media.previewUrl : media.url;
  if (still === null) return null;
  // The query distinguishes it from a profile picture, which the device caches.
  if (isAnimatedPicture(media) && !lessMotion) return { src: `${still}?full` };
  return { src: `${still}?size=320`, srcSet: `${still}?size=320 320w, ${still}?size=960 960w` };
}

/**
 * Picture or video poster that opens in the viewer. It is blurred until loaded, and shown from this device if
 * available.
 */
export function MessagePicture({ entry, media, conversationId, width }: PictureProps) {
  const { t } = useTexts(mediaTexts);
  const { nameOf } = useMessageRowTexts();
  const [failed, setFailed] = useState(false);
  const pending = entry.pending !== null;
  // A medium whose bytes have arrived is only waiting for its message.
  const onItsWay = pending && entry.pending?.state !== 'failed' && media.url === null;
  const local = useLocalMedia(media.key, media.url === null);
  const lessMotion = useLessMotion();
  const localStill = local && stillOf(local, media, lessMotion);
  const sources = localStill !== null ? { src: localStill } : pictureSources(media, lessMotion);
  const blurred = media.info.thumbhash === undefined ? undefined : toThumbhashUrl(media.info.thumbhash);
  const isVideo = media.kind === 'video';
  const name = nameOf(entry.senderId);
  const what = t(isVideo ? 'media:videoFrom' : 'media:pictureFrom', { name });
  return (
    <div
      className="relative size-full bg-sunken bg-cover bg-center"
      style={blurred === undefined ? undefined : { backgroundImage: `url("${blurred}")` }}
    >
      {sources && !failed && (
        <img
          {...sources}
          {...('srcSet' in sources && { sizes: `${width}px` })}
          alt=""
          loading="lazy"
          decoding="async"
          draggable={false}
          onError={() => setFailed(true)}
          className="absolute inset-0 size-full object-cover"
        />
      )}
      {(failed || (!sources && !isVideo && media.url === null && !pending)) && (
        <span className="absolute inset-0 flex flex-col items-center justify-center gap-1 bg-sunken/80 p-2 text-center text-12 text-muted">
          <ImageOff aria-hidden="true" className="size-6" />
          {t('media:gone')}
        </span>
      )}
      <button
        type="button"
        data-media
        aria-label={t(isVideo ? 'media:openVideo' : 'media:openPicture', { name })}
        onClick={() => viewerStore.setState({ open: { conversationId, key: entry.key } })}
        className="absolute inset-0 size-full rounded-[inherit] [-webkit-touch-callout:none] outline-offset-[-4px] focus-visible:outline-2 focus-visible:outline-focus"
      >
        {isVideo && !onItsWay && (
          <span
            aria-hidden="true"
            className={classNames(
              'absolute top-1/2 left-1/2 inline-flex -translate-1/2 items-center justify-center rounded-full bg-[rgb(0_0_0/0.55)] text-[#fff]',
              // The time, the duration, and this button would overlap in a grid.
              width < 150 ? 'size-8 [&_svg]:size-4' : 'size-13 [&_svg]:size-6',
            )}
          >
            <Play className="translate-x-px fill-current" />
          </span>
        )}
        {isVideo && media.duration !== null && (
          <span
            dir="ltr"
            className="tabular absolute start-1.5 top-1.5 rounded-full bg-[rgb(0_0_0/0.55)] px-2 py-0.5 text-12 font-medium text-[#fff]"
          >
            {formatClockDuration(media.duration)}
          </span>
        )}
      </button>
      {onItsWay && (
        <span className="absolute top-1/2 left-1/2 -translate-1/2">
          <UploadRing over conversationId={conversationId} clientMessageId={entry.key} name={media.name ?? what} />
        </span>
      )}
    </div>
  );
}
