import type { StatusUpdate } from '@nolo/api';
import { toReadableStatusBackground } from '@nolo/rules';
import { Play } from 'lucide-react';
import { useState } from 'react';
import { classNames } from '../ui/classNames.ts';

type Shown = Pick<
  StatusUpdate,
  'mediaType' | 'content' | 'backgroundColor' | 'textColor' | 'font' | 'mediaUrl' | 'previewUrl'
>;

export interface StatusThumbnailProps {
  status: Shown;
  /** Description for people who cannot see it. Empty if it is already beside the picture. */
  label: string;
  className?: string;
}

/** Status update as a small picture. A text is shown in its colors. */
export function StatusThumbnail({ status, label, className }: StatusThumbnailProps) {
  const { mediaType, content, backgroundColor, textColor, font, mediaUrl, previewUrl } = status;
  const [failed, setFailed] = useState(false);
  const picture = mediaType === 'image' ? mediaUrl : previewUrl;
  if (mediaType === 'text') {
    return (
      <span
        dir="auto"
        className={classNames(
          'flex items-center justify-center overflow-hidden rounded-[inherit] p-2 text-center text-12 leading-snug font-medium wrap-anywhere forced-colors:border',
          className,
        )}
        style={{
          backgroundColor: toReadableStatusBackground(backgroundColor, textColor),
          color: textColor,
          fontFamily: font,
        }}
      >
        <span className="line-clamp-6">{content}</span>
      </span>
    );
  }
  return (
    <span className={classNames('relative block overflow-hidden bg-sunken', className)}>
      {picture !== null && !failed && (
        <img
          src={`${picture}?size=320`}
          alt={label}
          draggable={false}
          loading="lazy"
          decoding="async"
          onError={() => setFailed(true)}
          className="size-full object-cover"
        />
      )}
      {mediaType === 'video' && (
        <span className="absolute inset-0 flex items-center justify-center">
          <Play
            aria-hidden="true"
            className="size-6 rounded-full bg-[rgb(0_0_0/0.55)] p-1 text-[#fff]"
            fill="currentColor"
          />
        </span>
      )}
    </span>
  );
}
