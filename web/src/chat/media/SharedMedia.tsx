import type { Message } from '@nolo/api';
import { ImageOff, Link2, Mic, Play } from 'lucide-react';
import { useId, useMemo, useState } from 'react';
import { useNavigate } from 'react-router-dom';
import { useStore } from 'zustand';
import { useChat, useChatState } from '../context/chatContext.ts';
import { useLocale } from '../../i18n/locale.ts';
import { getConversationActions } from '@nolo/client/chat/conversationActions';
import { featureStore } from '../../session/features.ts';
import { Button } from '../../ui/Button.tsx';
import { Segmented } from '../../ui/Segmented.tsx';
import { conversationPath } from '../words/conversationName.ts';
import { formatConversationTime } from '../words/formatConversationTime.ts';
import { uncoverConversation } from '../context/detailsPaneStore.ts';
import { useNow } from '../../shell/useNow.ts';
import { entryKeyOf } from '@nolo/client/chat/entries';
import { useDisplayNameOf } from '../words/useDisplayNameOf.ts';
import { clipCombiningMarks } from '../words/text/clipCombiningMarks.ts';
import { SafeLink } from '../words/text/SafeLink.tsx';
import { FileSymbol } from './FileSymbol.tsx';
import { pictureSources } from './MessagePicture.tsx';
import { downloadAddress, mediaOfMessage } from '@nolo/client/chat/shownMedia';
import { listSharedMedia, type SharedMediaItem, type SharedKind } from './listSharedMedia.ts';
import { formatClockDuration, sizeText } from '../../i18n/sizeText.ts';
import { toThumbhashUrl } from './thumbhash.ts';
import { viewerStore } from './viewerStore.ts';
import { useTexts } from '../../i18n/texts.ts';
import { mediaTexts } from './mediaTexts.ts';

const kinds: readonly SharedKind[] = ['media', 'files', 'voice', 'links'];
const noMessages: readonly Message[] = [];
/** Maximum items rendered at once. */
const pageSize = 60;

/** Lists the media shared in a conversation, by kind, from the messages on this device. */
export function SharedMedia({ conversationId }: { conversationId: string }) {
  const { t } = useTexts(mediaTexts);
  const { engine } = useChat();
  const heading = useId();
  const exists = useStore(featureStore, (state) => state.features['files'] === true);
  const timeline = useChatState((state) => state.timelines[conversationId]);
  const connected = useChatState((state) => state.connection === 'open');
  const [kind, setKind] = useState<SharedKind>('media');
  const [shown, setShown] = useState(pageSize);
  const [failed, setFailed] = useState(false);
  const messages = timeline?.messages ?? noMessages;
  const shared = useMemo(() => listSharedMedia(messages, kind), [messages, kind]);
  if (!exists) return null;
  const page = shared.slice(0, shown);
  const more = page.length < shared.length;
  const older = timeline?.hasOlder === true && connected;
  return (
    <section aria-labelledby={heading} className="@container rounded-card border border-line bg-raised p-4">
      <h3 id={heading} className="text-14 font-semibold">
        {t('media:shared.title')}
      </h3>
      <Segmented<SharedKind>
        className="mt-3"
        label={t('media:shared.title')}
        value={kind}
        onValueChange={(next) => {
          setKind(next);
          setShown(pageSize);
        }}
        options={kinds.map((value) => ({ value, label: t(`media:shared.kinds.${value}`) }))}
      />
      {page.length === 0 ? (
        <p className="py-5 text-center text-14 text-muted">{t(`media:shared.none.${kind}`)}</p>
      ) : (
        <ul
          aria-label={t(`media:shared.kinds.${kind}`)}
          className={kind === 'media' ? 'mt-3 grid grid-cols-3 gap-1' : 'mt-2 flex flex-col'}
        >
          {page.map((one) => (
            <li key={`${one.message.id} ${one.href ?? ''}`} className="min-w-0">
              {kind === 'media' ? <Tile shared={one} /> : <Row shared={one} kind={kind} />}
            </li>
          ))}
        </ul>
      )}
      {failed && <p className="pt-2 text-center text-13 text-danger-text">{t('media:shared.moreFailed')}</p>}
      {(more || older) && (
        <div className="flex justify-center pt-3">
          <Button
            kind="quiet"
            size="small"
            busy={!more && timeline?.loadingOlder === true}
            onClick={() => {
              setFailed(false);
              if (more) return setShown(shown + pageSize);
              getConversationActions(engine)
                .loadMoreToSearch(conversationId)
                .catch(() => setFailed(true));
            }}
          >
            {t('media:shared.more')}
          </Button>
        </div>
      )}
    </section>
  );
}

function Tile({ shared: { message } }: { shared: SharedMediaItem }) {
  const { t } = useTexts(mediaTexts);
  const nameOf = useDisplayNameOf();
  const [failed, setFailed] = useState(false);
  const media = mediaOfMessage(message);
  if (!media) return null;
  // Animated pictures stay still among many others.
  const sources = pictureSources(media, true);
  const blurred = media.info.thumbhash === undefined ? undefined : toThumbhashUrl(media.info.thumbhash);
  const isVideo = media.kind === 'video';
  return (
    <button
      type="button"
      aria-label={t(isVideo ? 'media:openVideo' : 'media:openPicture', { name: nameOf(message.senderId) })}
      onClick={() => {
        uncoverConversation();
        viewerStore.setState({ open: { conversationId: message.conversationId, key: entryKeyOf(message) } });
      }}
      className="relative block aspect-square w-full overflow-hidden rounded-[6px] bg-sunken bg-cover bg-center outline-offset-[-3px] focus-visible:outline-2 focus-visible:outline-focus"
      style={blurred === undefined ? undefined : { backgroundImage: `url("${blurred}")` }}
    >
      {sources && !failed ? (
        <img
          {...sources}
          sizes="120px"
          alt=""
          loading="lazy"
          decoding="async"
          onError={() => setFailed(true)}
          className="size-full object-cover"
        />
      ) : (
        !isVideo && <ImageOff aria-hidden="true" className="m-auto size-5 text-muted" />
      )}
      {isVideo && (
        <span className="tabular absolute start-1 bottom-1 inline-flex items-center gap-1 rounded-full bg-[rgb(0_0_0/0.6)] px-1.5 text-12 text-[#fff]">
          <Play aria-hidden="true" className="size-3 fill-current" />
          {media.duration !== null && formatClockDuration(media.duration)}
        </span>
      )}
    </button>
  );
}

function Row({ shared: { message, href }, kind }: { shared: SharedMediaItem; kind: SharedKind }) {
  const { t } = useTexts(mediaTexts);
  const nameOf = useDisplayNameOf();
  const locale = useLocale();
  const navigate = useNavigate();
  const conversation = useChatState((state) => state.conversations[message.conversationId]);
  const { text: time } = formatConversationTime(Date.parse(message.createdAt), useNow(), locale);
  const media = mediaOfMessage(message);
  const name = media?.name ?? t('chats.file');
  const title = kind === 'links' ? (href ?? '') : kind === 'voice' ? nameOf(message.senderId) : name;
  const facts = [
    kind === 'files' && media && media.size !== null ? sizeText(media.size, locale) : null,
    kind === 'voice' && media && media.duration !== null ? formatClockDuration(media.duration) : null,
    kind === 'voice' ? null : nameOf(message.senderId),
    time,
  ].filter((fact) => fact !== null);
  const symbol = 'size-4.5';
  const body = (
    <>
      <span className="inline-flex size-9 shrink-0 items-center justify-center rounded-control bg-accent-subtle text-accent-text">
        {kind === 'links' ? (
          <Link2 aria-hidden="true" className={symbol} />
        ) : kind === 'voice' ? (
          <Mic aria-hidden="true" className={symbol} />
        ) : (
          <FileSymbol name={name} className={symbol} />
        )}
      </span>
      <span className="min-w-0 flex-1">
        {kind === 'files' && media?.url && <span className="sr-only">{t('media:download')} </span>}
        <span dir="auto" className="block truncate text-ui-start text-14 font-medium">
          {clipCombiningMarks(title)}
        </span>
        <span className="tabular block truncate text-12 text-muted">{facts.join(' · ')}</span>
      </span>
    </>
  );
  const classes =
    'flex min-h-12 w-full min-w-0 items-center gap-2.5 rounded-control px-1 py-1 text-start text-ink no-underline hover:bg-hover focus-visible:outline-2 focus-visible:outline-focus';
  if (kind === 'files' && media?.url) {
    return (
      <a href={downloadAddress(media.url, name)} download={name} className={classes}>
        {body}
      </a>
    );
  }
  if (href !== undefined) {
    return (
      <SafeLink href={href} className={classes} block>
        {body}
      </SafeLink>
    );
  }
  return (
    <button
      type="button"
      title={t('media:shared.goTo')}
      onClick={() => {
        uncoverConversation();
        if (conversation) void navigate(conversationPath(conversation), { state: { seq: message.seq } });
      }}
      className={classes}
    >
      {body}
    </button>
  );
}
