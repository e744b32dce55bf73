import { routes, type Session } from '@nolo/api';
import { Globe, Laptop, LogOut, Smartphone, Tablet } from 'lucide-react';
import { useState } from 'react';
import { call } from '../../api/httpClient.ts';
import { queryKeys, useSessions } from '../../api/queries.ts';
import { useLocale } from '../../i18n/locale.ts';
import { toast } from '../../ui/toasts.ts';
import { useAction } from '../../ui/useAction.ts';
import { Badge } from '../../ui/Badge.tsx';
import { Button } from '../../ui/Button.tsx';
import { Card } from '../../ui/Card.tsx';
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx';
import { IconButton } from '../../ui/IconButton.tsx';
import { QueryPlaceholder } from '../../ui/QueryPlaceholder.tsx';
import { Skeleton } from '../../ui/Skeleton.tsx';
import { useNow } from '../../shell/useNow.ts';
import { deviceName, formatPlace } from '@nolo/rules';
import { formatTimeSince } from '../../i18n/relativeTime.ts';
import { useTexts } from '../../i18n/texts.ts';
import { profileTexts } from './profileTexts.ts';

/** Signed-in devices, and how to sign them out. */
export function DevicesCard() {
  const { t } = useTexts(profileTexts);
  const query = useSessions();
  const { data: sessions } = query;
  const [sessionToEnd, setSessionToEnd] = useState<Session | 'others' | null>(null);
  const others = sessions?.some((session) => !session.current) === true;

  const end = useAction(
    (session: Session | 'others'): Promise<unknown> =>
      session === 'others' ? call(routes.endOtherSessions) : call(routes.endSession, { params: { id: session.id } }),
    {
      invalidates: [queryKeys.sessions],
      failure: t('profile:signOutFailed'),
      onDone: (_, session) => {
        toast({
          kind: 'success',
          title: session === 'others' ? t('profile:othersSignedOut') : t('profile:signedOutOne'),
        });
        setSessionToEnd(null);
      },
    },
  );

  return (
    <Card title={t('profile:devices')} description={t('profile:devicesText')}>
      {sessions === undefined ? (
        <QueryPlaceholder query={query} failed={t('profile:devicesFailed')}>
          <div className="flex h-14 items-center gap-3" aria-busy="true">
            <Skeleton className="size-10 rounded-full" />
            <span className="flex-1">
              <Skeleton className="h-3.5 w-2/5" />
              <Skeleton className="mt-2 h-3 w-1/4" />
            </span>
          </div>
        </QueryPlaceholder>
      ) : (
        <ul className="flex flex-col gap-1">
          {sessions
            .toSorted((a, b) => Number(b.current) - Number(a.current))
            .map((session) => (
              <Device key={session.id} session={session} onEnd={() => setSessionToEnd(session)} />
            ))}
        </ul>
      )}
      {others && (
        <Button
          kind="secondary"
          size="small"
          className="mt-3"
          icon={<LogOut className="rtl:-scale-x-100" />}
          onClick={() => setSessionToEnd('others')}
        >
          {t('profile:signOutOthers')}
        </Button>
      )}
      <ConfirmDialog
        open={sessionToEnd !== null}
        onCancel={() => setSessionToEnd(null)}
        title={sessionToEnd === 'others' ? t('profile:signOutOthersTitle') : t('profile:signOutOneTitle')}
        text={t('profile:signOutText')}
        confirmLabel={t('profile:signOut')}
        onConfirm={async () => void (sessionToEnd && (await end.run(sessionToEnd)))}
      />
    </Card>
  );
}

const icons = { phone: Smartphone, tablet: Tablet, computer: Laptop, other: Globe };

function Device({ session, onEnd }: { session: Session; onEnd: () => void }) {
  const { t } = useTexts(profileTexts);
  const locale = useLocale();
  const now = useNow();
  const { browser, system, kind } = deviceName(session.userAgent);
  const Icon = icons[kind];
  const name =
    browser !== null && system !== null
      ? t('profile:deviceOn', { browser, system })
      : (browser ?? system ?? t('profile:unknownDevice'));
  const place = session.place
    ? formatPlace(session.place, locale)
    : session.network && t('profile:network', { network: session.network });
  const used = formatTimeSince(Date.parse(session.lastUsedAt), now, t, 'inSentence');
  return (
    <li className="flex min-h-14 items-center gap-3">
      <span
        aria-hidden="true"
        className="flex size-10 shrink-0 items-center justify-center rounded-full bg-sunken text-muted"
      >
        <Icon className="size-[18px]" />
      </span>
      <span className="min-w-0 flex-1">
        <span className="flex flex-wrap items-center gap-x-2 gap-y-1 text-14 font-medium">
          {name}
          {session.current && <Badge tone="accent">{t('profile:thisDevice')}</Badge>}
        </span>
        <span className="block text-13 text-muted">
          {t(`profile:methods.${session.method}`)}
          {' · '}
          <time dateTime={session.lastUsedAt} title={new Date(session.lastUsedAt).toLocaleString(locale)}>
            {session.current ? t('profile:activeNow') : t('profile:lastActive', { time: used })}
          </time>
          {place !== null && (
            <>
              {' · '}
              <bdi title={session.network ?? undefined}>{place}</bdi>
            </>
          )}
        </span>
      </span>
      {!session.current && (
        <IconButton
          label={t('profile:signOutDevice', { device: name })}
          icon={<LogOut className="rtl:-scale-x-100" />}
          onClick={onEnd}
        />
      )}
    </li>
  );
}
