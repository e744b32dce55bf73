import { useTranslation } from 'react-i18next';
import { Skeleton } from '../ui/Skeleton.tsx';

/** Placeholders for a picture, a name and actions, as in the details of a person or a group. */
export function DetailsSkeleton() {
  const { t } = useTranslation();
  return (
    <div role="status" aria-label={t('shell.loadingDetails')} className="flex flex-col gap-6 px-5 py-6">
      <div className="flex flex-col items-center">
        <Skeleton className="size-24 rounded-full!" />
        <Skeleton className="mt-3 h-7 w-40" />
        <Skeleton className="mt-1.5 h-4 w-24" />
      </div>
      <div className="flex flex-col gap-2">
        <Skeleton className="h-10" />
        <Skeleton className="h-10" />
      </div>
      <Skeleton className="h-40 rounded-card!" />
    </div>
  );
}
