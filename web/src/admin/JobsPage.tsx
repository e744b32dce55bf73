import { routes, type SetAsideWork, type WorkQueue } from '@nolo/api';
import { Inbox, RotateCw } from 'lucide-react';
import { useState } from 'react';
import { usePages } from '../api/usePages.ts';
import { useLocale } from '../i18n/locale.ts';
import { Badge } from '../ui/Badge.tsx';
import { Button } from '../ui/Button.tsx';
import { EmptyState } from '../ui/EmptyState.tsx';
import { QueryPlaceholder } from '../ui/QueryPlaceholder.tsx';
import { toast } from '../ui/toasts.ts';
import { useAction } from '../ui/useAction.ts';
import { adminKeys, useAdminQuery, useOperatorActionOptions } from './adminQueries.ts';
import { formatMoment } from './formatMoment.ts';
import { ReasonDialog } from './ReasonDialog.tsx';
import { AdminRows } from './AdminRows.tsx';
import { useTexts } from '../i18n/texts.ts';
import { adminTexts } from './adminTexts.ts';

/** Pending and set-aside work of every service, which can be retried or discarded; its content is never shown. */
export function JobsPage() {
  const { t } = useTexts(adminTexts);
  const query = useAdminQuery(routes.getAdminWork, [...adminKeys.work, 'queues']);
  const { data, isFetching, refetch } = query;
  if (!data)
    return <QueryPlaceholder className="" query={query} failed={t('admin:loadFailed')} loading={t('admin:loading')} />;
  return (
    <>
      <p className="text-14 text-muted">{t('admin:jobsText')}</p>
      {data.silent.length > 0 && (
        <p className="rounded-control bg-warning-subtle px-3 py-2 text-13 text-warning-text">
          {t('admin:silent', { parts: data.silent.join(', ') })}
        </p>
      )}
      <Button
        kind="secondary"
        size="small"
        className="self-start"
        icon={<RotateCw />}
        busy={isFetching}
        onClick={() => void refetch()}
      >
        {t('admin:refresh')}
      </Button>
      {data.queues.length === 0 ? (
        <EmptyState icon={<Inbox />} title={t('admin:noWork')} description={t('admin:noWorkText')} />
      ) : (
        <ul className="flex flex-col gap-2">
          {data.queues.map((queue) => (
            <QueueRow key={`${queue.part} ${queue.kind} ${queue.queue}`} queue={queue} />
          ))}
        </ul>
      )}
    </>
  );
}

function QueueRow({ queue }: { queue: WorkQueue }) {
  const { t } = useTexts(adminTexts);
  const [isOpen, setIsOpen] = useState(false);
  const { part, kind, setAside, waiting, late, active } = queue;
  const counts = [
    t('admin:waiting', { count: waiting + late }),
    ...(late > 0 ? [t('admin:late', { count: late })] : []),
    ...(active > 0 ? [t('admin:active', { count: active })] : []),
  ];
  return (
    <li className="rounded-card border border-line bg-raised p-3 text-13">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <p className="min-w-40 flex-1 text-14 font-medium">
          <bdi dir="ltr" className="wrap-anywhere">
            {part} · {queue.queue}
          </bdi>
        </p>
        {setAside > 0 && <Badge tone="danger">{t('admin:setAside', { count: setAside })}</Badge>}
      </div>
      <div className="mt-0.5 flex items-center gap-3">
        <p className="tabular min-w-0 flex-1 text-muted">
          {t(`admin:workKinds.${kind}`)} · {counts.join(' · ')}
        </p>
        {setAside > 0 && (
          <Button kind="quiet" size="small" aria-expanded={isOpen} onClick={() => setIsOpen(!isOpen)}>
            {isOpen ? t('admin:hide') : t('admin:show')}
          </Button>
        )}
      </div>
      {isOpen && <SetAsideList queue={queue} />}
    </li>
  );
}

/** Set-aside work of a queue, oldest first. */
function SetAsideList({ queue }: { queue: WorkQueue }) {
  const { part, kind, queue: name } = queue;
  const list = usePages(routes.listSetAsideWork, {
    queryKey: [...adminKeys.work, 'set aside', part, kind, name],
    query: { part, kind, queue: name },
  });
  return (
    <AdminRows list={list} className="mt-2 flex flex-col divide-y divide-line border-t border-line">
      {(item) => <SetAsideRow key={item.id} queue={queue} item={item} />}
    </AdminRows>
  );
}

function SetAsideRow({ queue, item: { id, attempts, failure, at } }: { queue: WorkQueue; item: SetAsideWork }) {
  const { t } = useTexts(adminTexts);
  const locale = useLocale();
  const [discards, setDiscards] = useState(false);
  const options = useOperatorActionOptions(adminKeys.work);
  const retry = useAction(routes.retrySetAsideWork, {
    ...options,
    onDone: () => toast({ kind: 'success', title: t('admin:retried') }),
  });
  const discard = useAction(routes.discardSetAsideWork, options);
  const job = { part: queue.part, kind: queue.kind, queue: queue.queue, id };
  return (
    <li className="flex flex-wrap items-center gap-x-3 gap-y-2 py-2">
      <div className="min-w-60 flex-1">
        <p dir="ltr" className="font-mono text-12 break-all select-text">
          {id}
        </p>
        <p className="tabular text-muted">
          {t('admin:tried', { count: attempts })} · {formatMoment(at, locale)}
          {failure !== null && (
            <>
              {' · '}
              <code dir="ltr">{failure}</code>
            </>
          )}
        </p>
      </div>
      {/* Wraps below the text together if it does not fit next to it. */}
      <div className="flex flex-wrap gap-2">
        <Button kind="secondary" size="small" busy={retry.busy} onClick={() => void retry.run({ body: job })}>
          {t('admin:retry')}
        </Button>
        <Button kind="secondary" size="small" onClick={() => setDiscards(true)}>
          {t('admin:discard')}
        </Button>
      </div>
      {discards && (
        <ReasonDialog
          title={t('admin:discardTitle')}
          description={t(`admin:discardText.${queue.kind}`)}
          submitLabel={t('admin:discard')}
          done={t('admin:discardDone')}
          danger
          onClose={() => setDiscards(false)}
          onSubmit={(reason) => discard.run({ body: { ...job, reason } })}
        />
      )}
    </li>
  );
}
