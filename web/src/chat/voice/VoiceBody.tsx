import type { Message } from '@nolo/api';
import { CircleAlert, Pause, Play } from 'lucide-react';
import { useStore } from 'zustand';
import { request } from '../../api/request.ts';
import { useChat } from '../context/chatContext.ts';
import { shownTimeline } from '@nolo/client/chat/window';
import type { ChatEngine } from '@nolo/client/chat/chatEngine';
import { Spinner } from '../../ui/Spinner.tsx';
import { useMessageRowTexts } from '../words/messageRowTexts.ts';
import { findLocalMedia } from '../media/localMedia.ts';
import type { MediaProps } from '../media/mediaProps.ts';
import { mediaOfMessage, type ShownMedia } from '@nolo/client/chat/shownMedia';
import { formatClockDuration } from '../../i18n/sizeText.ts';
import { UploadRing } from '../media/UploadRing.tsx';
import { useLocalMedia } from '../media/useLocalMedia.ts';
import { findNextVoiceNote } from './findNextVoiceNote.ts';
import { getPlayedVoiceNotes } from './playedVoiceNotes.ts';
import { playbackSpeeds, getVoicePlayer, type PlayerTrack } from '../media/player.ts';
import { Waveform } from './Waveform.tsx';
import { useTexts } from '../../i18n/texts.ts';
import { voiceTexts } from '../media/voiceTexts.ts';

const fetched = new Map<string, string>();
const maxFetchedVoiceNotes = 20;

/**
 * Returns the URL to play. A voice note loads completely, so that the user can seek anywhere. A longer sound streams.
 */
async function addressOf({ key, kind, url }: ShownMedia): Promise<string> {
  const here = findLocalMedia(key)?.file;
  if (here !== undefined) return here;
  if (url === null) throw new Error('The file is not available on this device.');
  if (kind !== 'voice') return `${url}?full`;
  const known = fetched.get(url);
  if (known !== undefined) return known;
  const reply = await request(url, { method: 'GET' });
  const address = URL.createObjectURL(await reply.blob());
  const [oldest] = fetched.keys();
  if (fetched.size >= maxFetchedVoiceNotes && oldest !== undefined) {
    URL.revokeObjectURL(fetched.get(oldest) ?? '');
    fetched.delete(oldest);
  }
  fetched.set(url, address);
  return address;
}

function messagesOf(engine: ChatEngine, conversationId: string): readonly Message[] {
  const { timelines, windows } = engine.store.getState();
  const timeline = timelines[conversationId];
  return timeline ? shownTimeline(timeline, windows[conversationId]).messages : [];
}

/** Returns the track of a medium. After a voice note, the next one plays. */
function trackOf(engine: ChatEngine, conversationId: string, media: ShownMedia): PlayerTrack {
  const { key, kind, duration } = media;
  return {
    key,
    duration,
    load: () => addressOf(media),
    next() {
      const nextVoiceNote = kind === 'voice' ? findNextVoiceNote(messagesOf(engine, conversationId), key) : null;
      const following = nextVoiceNote && mediaOfMessage(nextVoiceNote);
      return following && trackOf(engine, conversationId, following);
    },
    onPlay: () => getPlayedVoiceNotes(engine.store.getState().selfId).markPlayed(key),
  };
}

/** Player of a voice note or sound, with waveform, duration, and speed. */
export function VoiceBody({ entry, media, conversationId, own }: MediaProps) {
  const { t } = useTexts(voiceTexts);
  const { engine } = useChat();
  const { nameOf } = useMessageRowTexts();
  const player = getVoicePlayer();
  const current = useStore(player.store, (state) => (state.key === media.key ? state : null));
  const speed = useStore(player.store, (state) => state.speed);
  const { selfId } = engine.store.getState();
  const played = useStore(getPlayedVoiceNotes(selfId), (state) => state.played.has(media.key));
  const local = useLocalMedia(media.key, media.url === null);
  const playable = media.url !== null || local !== null;
  const onItsWay = entry.pending !== null && entry.pending.state !== 'failed' && media.url === null;
  const status = current?.status ?? 'paused';
  const duration = current?.duration ?? media.duration ?? 0;
  const time = current?.time ?? 0;
  const shown = formatClockDuration(time > 0 || status === 'playing' ? time : duration);
  const isVoiceNote = media.kind === 'voice';
  const name = isVoiceNote
    ? t('voice:noteFrom', { name: nameOf(entry.senderId), time: formatClockDuration(duration) })
    : (media.name ?? t('chats.file'));
  const fresh = isVoiceNote && !own && !played && status === 'paused';
  const track = trackOf(engine, conversationId, media);
  const faster = playbackSpeeds[(playbackSpeeds.indexOf(speed) + 1) % playbackSpeeds.length] ?? 1;
  return (
    <div role="group" aria-label={name} className="flex w-full flex-col">
      {!isVoiceNote && (
        <span dir="auto" className="truncate text-ui-start text-14 font-medium">
          {media.name}
        </span>
      )}
      <div className="flex h-11 items-center gap-2">
        {onItsWay ? (
          <UploadRing conversationId={conversationId} clientMessageId={media.key} name={name} />
        ) : (
          <button
            type="button"
            aria-label={t(status === 'playing' ? 'voice:pause' : 'voice:play')}
            disabled={!playable}
            onClick={() => player.toggle(track)}
            className="inline-flex size-10 shrink-0 items-center justify-center rounded-full bg-accent text-on-accent hover:bg-accent-hover focus-visible:outline-2 focus-visible:outline-focus disabled:opacity-45 pointer-coarse:size-11"
          >
            {status === 'loading' ? (
              <Spinner className="size-5" />
            ) : status === 'playing' ? (
              <Pause aria-hidden="true" className="size-5 fill-current" />
            ) : status === 'failed' ? (
              <CircleAlert aria-hidden="true" className="size-5" />
            ) : (
              <Play aria-hidden="true" className="size-5 translate-x-px fill-current" />
            )}
          </button>
        )}
        <span className="flex min-w-0 flex-1 flex-col">
          <Waveform
            bars={media.info.waveform}
            time={time}
            duration={duration}
            onSeek={(seconds) => {
              if (playable) player.seek(track, seconds);
            }}
          />
          <span className="flex h-4 items-center gap-1.5 text-12 text-muted">
            <span dir="ltr" className="tabular">
              {shown}
            </span>
            {fresh && <span role="img" aria-label={t('voice:unplayed')} className="size-2 rounded-full bg-accent" />}
          </span>
        </span>
        {current && status !== 'failed' ? (
          <button
            type="button"
            aria-label={t('voice:speed', { speed: speed.toLocaleString() })}
            onClick={() => player.setSpeed(faster)}
            className="tabular relative inline-flex h-7 min-w-10 shrink-0 items-center justify-center self-start rounded-full bg-sunken px-1.5 text-12 font-semibold text-muted before:absolute before:-inset-2 hover:text-ink focus-visible:outline-2 focus-visible:outline-focus"
          >
            {speed.toLocaleString()}×
          </button>
        ) : null}
      </div>
      {status === 'failed' && (
        <p role="alert" className="text-12 text-danger-text">
          {t('voice:gone')}
        </p>
      )}
    </div>
  );
}
