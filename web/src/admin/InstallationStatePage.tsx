import { routes, type AdminServiceInfo, type InstallationState } from '@nolo/api';
import { RotateCw } from 'lucide-react';
import type { ReactNode } from 'react';
import { useLocale } from '../i18n/locale.ts';
import { Badge, type BadgeTone } from '../ui/Badge.tsx';
import { Button } from '../ui/Button.tsx';
import { Card } from '../ui/Card.tsx';
import { QueryPlaceholder } from '../ui/QueryPlaceholder.tsx';
import { adminKeys, useAdminQuery } from './adminQueries.ts';
import { formatMoment } from './formatMoment.ts';
import { useTexts } from '../i18n/texts.ts';
import { adminTexts } from './adminTexts.ts';

const tones: Record<InstallationState['status'], BadgeTone> = {
  ready: 'accent',
  degraded: 'warning',
  starting: 'danger',
  stopping: 'danger',
};

/** State of the installation: its health, what runs, and its configuration. */
export function InstallationStatePage() {
  const { t } = useTexts(adminTexts);
  const query = useAdminQuery(routes.getAdminState, adminKeys.state);
  const { data, isFetching, refetch } = query;
  if (!data)
    return <QueryPlaceholder className="" query={query} failed={t('admin:loadFailed')} loading={t('admin:loading')} />;
  return (
    <>
      <p className="text-14 text-muted">{t('admin:stateText')}</p>
      <Card
        title={t('admin:parts')}
        description={t('admin:partsText')}
        action={<Badge tone={tones[data.status]}>{t(`admin:status.${data.status}`)}</Badge>}
      >
        <ul className="flex flex-col divide-y divide-line">
          {data.parts.map((service) => (
            <ServiceInfoRow key={service.name} service={service} />
          ))}
        </ul>
        <Button
          kind="secondary"
          size="small"
          className="mt-4"
          icon={<RotateCw />}
          busy={isFetching}
          onClick={() => void refetch()}
        >
          {t('admin:refresh')}
        </Button>
      </Card>
      <Card title={t('admin:features')} description={t('admin:featuresText')}>
        <ul className="flex flex-col divide-y divide-line">
          {data.features.map(({ name, on, variable }) => (
            <li key={name} className="flex flex-wrap items-center gap-x-3 gap-y-1 py-2 text-13">
              <Name>{name}</Name>
              <span className="min-w-0 flex-1 wrap-anywhere text-muted">
                {variable === null ? t('admin:byVersion') : <Name>{variable}</Name>}
              </span>
              <Badge tone={on ? 'accent' : 'neutral'}>{on ? t('admin:on') : t('admin:off')}</Badge>
            </li>
          ))}
        </ul>
      </Card>
      <Card title={t('admin:limits')} description={t('admin:limitsText')}>
        <Disclosed summary={t('admin:limitsShow', { count: data.limits.length })}>
          {data.limits.map(({ name, value, seconds }) => (
            <Pair key={`${name} ${seconds ?? ''}`} name={name}>
              {seconds === null ? value : t('admin:within', { value, seconds })}
            </Pair>
          ))}
        </Disclosed>
      </Card>
    </>
  );
}

function ServiceInfoRow({ service: { name, ok, detail, build } }: { service: AdminServiceInfo }) {
  const { t } = useTexts(adminTexts);
  const locale = useLocale();
  return (
    <li className="py-2.5 text-13">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <p className="min-w-0 flex-1 text-14 font-medium">
          <bdi dir="ltr">{name}</bdi>
        </p>
        <Badge tone={ok ? 'accent' : 'danger'}>{ok ? t('admin:works') : t('admin:fails')}</Badge>
      </div>
      {detail !== null && (
        <p className="mt-0.5 text-danger-text">
          <Name>{detail}</Name>
        </p>
      )}
      {build && (
        <>
          <p className="tabular mt-0.5 wrap-anywhere text-muted select-text">
            {t('admin:runs', { version: build.version, date: formatMoment(build.since, locale) })}
            {build.commit !== null && <> {t('admin:commit', { commit: build.commit.slice(0, 12) })}</>}
          </p>
          {build.settings.length > 0 && (
            <Disclosed summary={t('admin:settings', { count: build.settings.length })}>
              {build.settings.map(({ variable, value }) => (
                <Pair key={variable} name={variable}>
                  {value}
                </Pair>
              ))}
            </Disclosed>
          )}
        </>
      )}
    </li>
  );
}

/** Rarely needed content, behind a summary. */
function Disclosed({ summary, children }: { summary: string; children: ReactNode }) {
  return (
    <details className="mt-1">
      <summary className="w-fit cursor-pointer rounded-control py-1.5 text-13 text-accent-text pointer-coarse:py-3">
        {summary}
      </summary>
      <dl className="grid grid-cols-1 gap-x-4 gap-y-1 py-1 text-13 sm:grid-cols-[1fr_auto]">{children}</dl>
    </details>
  );
}

function Pair({ name, children }: { name: string; children: ReactNode }) {
  return (
    <>
      <dt className="min-w-0 text-muted max-sm:mt-1">
        <Name>{name}</Name>
      </dt>
      <dd className="tabular min-w-0 wrap-anywhere select-text sm:text-end">{children}</dd>
    </>
  );
}

/** Name from the configuration or the API, identical in every language. */
function Name({ children }: { children: string }) {
  return (
    <code dir="ltr" className="font-mono text-12 break-all select-text">
      {children}
    </code>
  );
}
