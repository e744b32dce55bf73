import { useEffect, useState } from 'react';
import { getVoicePlayer } from './player.ts';
import type { ShownMedia } from '@nolo/client/chat/shownMedia';
import { useLocalMedia } from './useLocalMedia.ts';
import { useMediaWords } from './useMediaWords.ts';

/** Video in the browser's own player. */
export function ViewedVideo({ media, label }: { media: ShownMedia; label: string }) {
  const { t } = useMediaWords();
  const local = useLocalMedia(media.key, media.url === null);
  const [failed, setFailed] = useState(false);
  const source = local?.file ?? (media.url === null ? undefined : `${media.url}?full`);
  const poster = local?.poster ?? (media.previewUrl === null ? undefined : `${media.previewUrl}?size=960`);
  useEffect(() => getVoicePlayer().pause(), []);
  if (failed || source === undefined) {
    return (
      <p role="alert" className="absolute inset-0 flex items-center justify-center px-6 text-center text-14">
        {t('media.viewer.failed')}
      </p>
    );
  }
  return (
    // oxlint-disable-next-line jsx-a11y/media-has-caption -- people's own videos have none
    <video
      src={source}
      {...(poster !== undefined && { poster })}
      controls
      autoPlay
      playsInline
      aria-label={label}
      onError={() => setFailed(true)}
      className="absolute inset-0 size-full object-contain outline-offset-[-3px]"
    />
  );
}
