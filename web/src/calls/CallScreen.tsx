import { routes } from '@nolo/api';
import { useQuery } from '@tanstack/react-query';
import { PhoneOff, Smartphone, UserRoundX, MessageCircle, Phone, Video } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { Link, useNavigate } from 'react-router-dom';
import { ApiError, call } from '../api/httpClient.ts';
import { StageSkeleton } from '../shell/StageSkeleton.tsx';
import { useDocumentTitle } from '../shell/routeHandle.ts';
import { useSelf } from '../session/self.ts';
import { conversationIdOfCall, toCallPhaseInTab, type LiveCall } from './model/callPhase.ts';
import { requestCall } from '../chat/calling/callRequests.ts';
import { Button, buttonClasses } from '../ui/Button.tsx';
import { EmptyState } from '../ui/EmptyState.tsx';
import { Avatar } from '../ui/Avatar.tsx';
import { formatCallDuration } from '../chat/words/callWords.ts';
import { CallRoom } from './CallRoom.tsx';
import { useCallEngine, useCallMedia, useLiveCall } from './callSession.ts';
import { VoiceCallView } from './VoiceCallView.tsx';
import { useCallPeer } from './useCallPeer.ts';
import { useDismissEndedCall } from './useDismissEndedCall.ts';
import { useCallStatusText } from './useCallStatusText.ts';
import { useTexts } from '../i18n/texts.ts';
import { callTexts } from '../chat/words/callTexts.ts';
import { callsTexts } from './callsTexts.ts';

function CallEnded({ live, onLeave }: { live: LiveCall; onLeave: () => void }) {
  const { t } = useTexts(callTexts, callsTexts);
  const peer = useCallPeer(live);
  const text = useCallStatusText(live, undefined);
  useDismissEndedCall(live, onLeave);
  const seconds = live.talkingSince === null || live.endedAt === null ? 0 : (live.endedAt - live.talkingSince) / 1_000;
  const { conversationId } = live;
  const self = useSelf();
  const calledBefore = live.call?.callerId === self.id || live.talkingSince !== null;
  return (
    <section className="flex min-h-0 flex-1 flex-col items-center justify-center gap-4 bg-page px-6 text-center text-ink [color-scheme:dark]">
      <Avatar name={peer.name} imageUrl={peer.imageUrl} size={96} className="mb-3 scale-125" />
      <h1 dir="auto" className="max-w-full text-24 font-semibold wrap-anywhere">
        {peer.name}
      </h1>
      <div role="status" className="text-16 text-muted">
        <p>{text}</p>
        {seconds >= 1 && (
          <p className="tabular mt-1 text-14">{t('calls:lasted', { time: formatCallDuration(seconds) })}</p>
        )}
      </div>
      <div className="mt-2 flex max-w-80 flex-wrap justify-center gap-2 *:grow">
        <Button kind="secondary" icon={conversationId === null ? undefined : <MessageCircle />} onClick={onLeave}>
          {t(conversationId === null ? 'calls:close' : 'calls:message')}
        </Button>
        {conversationId !== null && (
          <Button
            icon={live.type === 'video' ? <Video /> : <Phone />}
            onClick={() => requestCall({ conversationId }, live.type)}
          >
            {t(calledBefore ? 'calls:callAgain' : 'call:back')}
          </Button>
        )}
      </div>
    </section>
  );
}

/** Page `/meeting/{call id}`: this tab's call, or the result of another one. */
export function CallScreen({ id }: { id: string }) {
  const { t } = useTexts(callsTexts);
  const navigate = useNavigate();
  const engine = useCallEngine();
  const live = useLiveCall();
  const media = useCallMedia();
  const peer = useCallPeer(live);
  const own = live?.call?.id === id ? live : null;
  const isQuestionOpen = useQuestion(id, own !== null);
  /** Target address once the call is gone from the screen. */
  const way = useRef<string | null>(null);
  useDocumentTitle(own ? t('calls:callWith', { name: peer.names }) : t('nav.calls'));
  useEffect(() => {
    if (own) way.current = own.conversationId === null ? '/' : `/chat/${own.conversationId}`;
    else if (way.current !== null) void navigate(way.current, { replace: true });
  }, [own, navigate]);

  const leave = () => {
    engine?.dismiss();
    void navigate(way.current ?? '/', { replace: true });
  };
  if ((own === null || !engine) && !isQuestionOpen) return <StageSkeleton />;
  const onMinimise = () => void navigate(way.current ?? '/');
  return (
    <main className="flex h-dvh flex-col bg-page">
      {own === null || !engine ? (
        <OtherCall id={id} />
      ) : own.phase === 'ended' ? (
        <CallEnded live={own} onLeave={leave} />
      ) : own.phase === 'incoming' ? (
        <VoiceCallView live={own} media={null} />
      ) : (
        <CallRoom live={own} media={media} engine={engine} onMinimise={onMinimise} />
      )}
    </main>
  );
}

/** Asks once if the call in the address belongs to this tab. Returns true once there is an answer. */
function useQuestion(id: string, known: boolean): boolean {
  const engine = useCallEngine();
  const [answered, setAnswered] = useState<string | null>(null);
  useEffect(() => {
    if (!engine || known) return undefined;
    let over = false;
    void engine.open(id).then(() => {
      if (!over) setAnswered(id);
    });
    return () => {
      over = true;
    };
  }, [engine, id, known]);
  return answered === id;
}

/** Call that is over, continues on another device, or never was the user's. */
function OtherCall({ id }: { id: string }) {
  const { t } = useTexts(callTexts, callsTexts);
  const self = useSelf();
  const engine = useCallEngine();
  const { data, error, isPending } = useQuery({
    queryKey: ['calls', id],
    queryFn: ({ signal }) => call(routes.getCall, { params: { id }, signal }),
    retry: (count, failure) => failure instanceof ApiError && failure.passing && count < 3,
    staleTime: 0,
  });
  if (isPending) return <StageSkeleton />;
  const found = data && !error ? data : null;
  const place = found && toCallPhaseInTab(found, { selfId: self.id, deviceId: engine?.deviceId ?? '' });
  const kind = found === null ? 'notFound' : place === 'elsewhere' ? 'elsewhere' : 'over';
  const conversationId = found && conversationIdOfCall(found, self.id);
  const Icon = { notFound: UserRoundX, elsewhere: Smartphone, over: PhoneOff }[kind];
  return (
    <EmptyState
      className="flex-1"
      icon={<Icon />}
      title={t(`calls:${kind}Title`)}
      description={t(`calls:${kind}Text`)}
      action={
        <>
          <Link to="/" className={buttonClasses({ kind: 'secondary' })}>
            {t('common.goBackHome')}
          </Link>
          {kind === 'over' && found && conversationId !== null && (
            <Button onClick={() => requestCall({ conversationId }, found.type)}>
              {t(found.callerId === self.id || found.startedAt !== null ? 'calls:callAgain' : 'call:back')}
            </Button>
          )}
        </>
      }
    />
  );
}
