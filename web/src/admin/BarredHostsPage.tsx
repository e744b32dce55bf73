import { routes, type BarredHost } from '@nolo/api';
import { barredHostLimits, limits, parseBarrableHost } from '@nolo/rules';
import { ShieldBan } from 'lucide-react';
import { useState, type FormEvent } from 'react';
import { usePages } from '../api/usePages.ts';
import { useLocale } from '../i18n/locale.ts';
import { useDebouncedValue } from '../shell/useDebouncedValue.ts';
import { Button } from '../ui/Button.tsx';
import { Card } from '../ui/Card.tsx';
import { EmptyState } from '../ui/EmptyState.tsx';
import { TextArea } from '../ui/TextArea.tsx';
import { TextField } from '../ui/TextField.tsx';
import { toast } from '../ui/toasts.ts';
import { useAction } from '../ui/useAction.ts';
import { adminKeys, useOperatorActionOptions } from './adminQueries.ts';
import { formatMoment } from './formatMoment.ts';
import { isolated } from './isolated.ts';
import { ReasonDialog } from './ReasonDialog.tsx';
import { AdminRows } from './AdminRows.tsx';
import { useTexts } from '../i18n/texts.ts';
import { adminTexts } from './adminTexts.ts';

const restMs = 300;

/** Barred hosts, to which links are not allowed: new ones, and the existing ones. */
export function BarredHostsPage() {
  const { t } = useTexts(adminTexts);
  return (
    <>
      <p className="text-14 text-muted">{t('admin:barredText')}</p>
      <NewHosts />
      <Hosts />
    </>
  );
}

function NewHosts() {
  const { t } = useTexts(adminTexts);
  const bar = useAction(routes.barHosts, useOperatorActionOptions(adminKeys.barredHosts));
  const [typed, setTyped] = useState('');
  const [reason, setReason] = useState('');
  const [withSubdomains, setWithSubdomains] = useState(true);
  const [hasSubmitted, setHasSubmitted] = useState(false);
  const hosts = typed.split(/[\s,]+/).filter((word) => word !== '');
  const wrong = hosts.find((word) => parseBarrableHost(word) === undefined);
  const problem =
    hosts.length === 0
      ? t('admin:barMissing')
      : wrong !== undefined
        ? t('admin:barWrong', { host: wrong })
        : hosts.length > barredHostLimits.atOnce
          ? t('admin:barTooMany', { count: barredHostLimits.atOnce })
          : null;
  const missing = reason.trim() === '';

  const send = async (event: FormEvent) => {
    event.preventDefault();
    setHasSubmitted(true);
    if (problem !== null || missing) return;
    const done = await bar.run({ body: { hosts, withSubdomains, reason: reason.trim() } });
    if (!done) return;
    const count = done.result.length;
    toast({ kind: 'success', title: count === 0 ? t('admin:barAlready') : t('admin:barDone', { count }) });
    setTyped('');
    setReason('');
    setHasSubmitted(false);
  };

  return (
    <Card title={t('admin:barTitle')}>
      <form className="flex flex-col gap-4" noValidate onSubmit={(event) => void send(event)}>
        <TextArea
          label={t('admin:barHosts')}
          hint={t('admin:barHint')}
          error={hasSubmitted ? problem : null}
          dir="ltr"
          autoComplete="off"
          spellCheck={false}
          value={typed}
          onChange={(event) => setTyped(event.target.value)}
        />
        <label className="flex min-h-8 items-center gap-2 text-14 pointer-coarse:min-h-11">
          <input
            type="checkbox"
            className="size-4 shrink-0 accent-accent"
            checked={withSubdomains}
            onChange={(event) => setWithSubdomains(event.target.checked)}
          />
          {t('admin:barBelow')}
        </label>
        <TextArea
          label={t('admin:reason')}
          hint={t('admin:reasonHint')}
          error={hasSubmitted && missing ? t('admin:reasonMissing') : null}
          maxLength={limits.operatorReasonLength}
          value={reason}
          onChange={(event) => setReason(event.target.value)}
        />
        <Button type="submit" className="self-start" icon={<ShieldBan />} busy={bar.busy}>
          {t('admin:bar')}
        </Button>
      </form>
    </Card>
  );
}

function Hosts() {
  const { t } = useTexts(adminTexts);
  const [typed, setTyped] = useState('');
  const [leaving, setLeaving] = useState<string | null>(null);
  const q = useDebouncedValue(typed.trim(), restMs);
  const list = usePages(routes.listBarredHosts, {
    queryKey: [...adminKeys.barredHosts, q],
    query: q === '' ? {} : { q },
  });
  const unbar = useAction(routes.unbarHost, useOperatorActionOptions(adminKeys.barredHosts));
  return (
    <>
      <TextField
        label={t('admin:barredFind')}
        dir="ltr"
        autoComplete="off"
        spellCheck={false}
        maxLength={barredHostLimits.nameLength}
        value={typed}
        onChange={(event) => setTyped(event.target.value)}
      />
      <AdminRows
        list={list}
        empty={<EmptyState icon={<ShieldBan />} title={t(q === '' ? 'admin:noBarred' : 'admin:noBarredLike')} />}
      >
        {(one) => <HostRow key={one.host} barred={one} onUnbar={() => setLeaving(one.host)} />}
      </AdminRows>
      {leaving !== null && (
        <ReasonDialog
          title={t('admin:unbarTitle', { host: isolated(leaving) })}
          description={t('admin:unbarText')}
          submitLabel={t('admin:unbar')}
          done={t('admin:unbarDone')}
          onClose={() => setLeaving(null)}
          onSubmit={(reason) => unbar.run({ body: { host: leaving, reason } })}
        />
      )}
    </>
  );
}

function HostRow({ barred: { host, withSubdomains, since }, onUnbar }: { barred: BarredHost; onUnbar: () => void }) {
  const { t } = useTexts(adminTexts);
  const locale = useLocale();
  return (
    <li className="flex flex-wrap items-center gap-x-3 gap-y-1 rounded-card border border-line bg-raised p-3 text-13">
      <div className="min-w-40 flex-1">
        <p className="text-14 font-medium select-text">
          <bdi dir="ltr" className="wrap-anywhere">
            {host}
          </bdi>
        </p>
        <p className="tabular text-muted">
          {t(withSubdomains ? 'admin:barredBelow' : 'admin:barredAlone')} ·{' '}
          {t('admin:barredSince', { date: formatMoment(since, locale) })}
        </p>
      </div>
      <Button kind="secondary" size="small" onClick={onUnbar}>
        {t('admin:unbar')}
      </Button>
    </li>
  );
}
