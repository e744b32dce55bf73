import type { SetAsideWork, WorkQueue } from '@nolo/api';
import { Inbox, RotateCw } from 'lucide-react';
import { useState } from 'react';
import { useLocale } from '../i18n/locale.ts';
import { Badge } from '../ui/Badge.tsx';
import { Button } from '../ui/Button.tsx';
import { EmptyState } from '../ui/EmptyState.tsx';
import { ErrorState } from '../ui/ErrorState.tsx';
import { SkeletonRows } from '../ui/Skeleton.tsx';
import { toast } from '../ui/toasts.ts';
import { useWorkQueues, useSetAsideWork, useSetAsideWorkActions } from './adminQueries.ts';
import { formatMoment } from './formatMoment.ts';
import { ReasonDialog } from './ReasonDialog.tsx';
import { PagedList } from './PagedList.tsx';
import { useOperatorWords } from './useOperatorWords.ts';

/** Pending and set-aside work of every service, which can be retried or discarded; its content is never shown. */
export function JobsPage() {
  const { t } = useOperatorWords();
  const { data, isError, isFetching, refetch } = useWorkQueues();
  if (!data) {
    return isError ? (
      <ErrorState title={t('admin.loadFailed')} retrying={isFetching} onRetry={() => void refetch()} />
    ) : (
      <SkeletonRows label={t('admin.loading')} />
    );
  }
  return (
    <>
      <p className="text-14 text-muted">{t('admin.jobsText')}</p>
      {data.silent.length > 0 && (
        <p className="rounded-control bg-warning-subtle px-3 py-2 text-13 text-warning-text">
          {t('admin.silent', { parts: data.silent.join(', ') })}
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
        {t('admin.refresh')}
      </Button>
      {data.queues.length === 0 ? (
        <EmptyState icon={<Inbox />} title={t('admin.noWork')} description={t('admin.noWorkText')} />
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
  const { t } = useOperatorWords();
  const [isOpen, setIsOpen] = useState(false);
  const { part, kind, setAside, waiting, late, active } = queue;
  const counts = [
    t('admin.waiting', { count: waiting + late }),
    ...(late > 0 ? [t('admin.late', { count: late })] : []),
    ...(active > 0 ? [t('admin.active', { count: active })] : []),
  ];
  return (
    <li className="rounded-card border border-line bg-raised p-3 text-13">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <p className="min-w-40 flex-1 text-14 font-medium">
          <bdi dir="ltr" className="wrap-anywhere">
            {part} · {queue.queue}
          </bdi>
        </p>
        {setAside > 0 && <Badge tone="danger">{t('admin.setAside', { count: setAside })}</Badge>}
      </div>
      <div className="mt-0.5 flex items-center gap-3">
        <p className="tabular min-w-0 flex-1 text-muted">
          {t(`admin.workKinds.${kind}`)} · {counts.join(' · ')}
        </p>
        {setAside > 0 && (
          <Button kind="quiet" size="small" aria-expanded={isOpen} onClick={() => setIsOpen(!isOpen)}>
            {isOpen ? t('admin.hide') : t('admin.show')}
          </Button>
        )}
      </div>
      {isOpen && <SetAsideList queue={queue} />}
    </li>
  );
}

function SetAsideList({ queue }: { queue: WorkQueue }) {
  return (
    <PagedList list={useSetAsideWork(queue)}>
      {(items) => (
        <ul className="mt-2 flex flex-col divide-y divide-line border-t border-line">
          {items.map((item) => (
            <SetAsideRow key={item.id} queue={queue} item={item} />
          ))}
        </ul>
      )}
    </PagedList>
  );
}

function SetAsideRow({ queue, item: { id, attempts, failure, at } }: { queue: WorkQueue; item: SetAsideWork }) {
  const { t } = useOperatorWords();
  const locale = useLocale();
  const { retry } = useSetAsideWorkActions();
  const [busy, setBusy] = useState(false);
  const [discards, setDiscards] = useState(false);
  const retryJob = async () => {
    setBusy(true);
    if (await retry(queue, id)) toast({ kind: 'success', title: t('admin.retried') });
    setBusy(false);
  };
  return (
    <li className="flex flex-wrap items-center gap-x-3 gap-y-2 py-2">
      <div className="min-w-60 flex-1">
        <p dir="ltr" className="font-mono text-12 break-all select-text">
          {id}
        </p>
        <p className="tabular text-muted">
          {t('admin.tried', { count: attempts })} · {formatMoment(at, locale)}
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
        <Button kind="secondary" size="small" busy={busy} onClick={() => void retryJob()}>
          {t('admin.retry')}
        </Button>
        <Button kind="secondary" size="small" onClick={() => setDiscards(true)}>
          {t('admin.discard')}
        </Button>
      </div>
      {discards && <DiscardDialog queue={queue} id={id} onClose={() => setDiscards(false)} />}
    </li>
  );
}

function DiscardDialog({ queue, id, onClose }: { queue: WorkQueue; id: string; onClose: () => void }) {
  const { t } = useOperatorWords();
  const { discard } = useSetAsideWorkActions();
  return (
    <ReasonDialog
      title={t('admin.discardTitle')}
      text={t(`admin.discardText.${queue.kind}`)}
      submitLabel={t('admin.discard')}
      done={t('admin.discardDone')}
      danger
      onClose={onClose}
      onSubmit={(reason) => discard(queue, id, reason)}
    />
  );
}
