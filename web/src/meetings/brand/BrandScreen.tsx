import type { OwnBrand } from '@nolo/api';
import { Palette } from 'lucide-react';
import { useSelf } from '../../session/self.ts';
import { useDocumentTitle } from '../../shell/routeHandle.ts';
import { Banner } from '../../ui/Banner.tsx';
import { Card } from '../../ui/Card.tsx';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { ErrorState } from '../../ui/ErrorState.tsx';
import { SkeletonRows } from '../../ui/Skeleton.tsx';
import { BrandForm } from './BrandForm.tsx';
import { BrandLogo } from './BrandLogo.tsx';
import { useBrand, useBrandWords } from './useBrand.ts';

/** `/settings/brand`: branding of the user's meetings, set by the user or their team. */
export function BrandScreen() {
  const { t } = useBrandWords();
  useDocumentTitle(t('brand.title'));
  const { data, error, isFetching, refetch } = useBrand();
  if (data) return <Known own={data} />;
  return error ? (
    <ErrorState className="pt-16" title={t('brand.loadFailed')} retrying={isFetching} onRetry={() => void refetch()} />
  ) : (
    <SkeletonRows label={t('brand.title')} />
  );
}

function Known({ own }: { own: OwnBrand }) {
  const { t } = useBrandWords();
  const self = useSelf();
  if (own.ownerId === self.id) {
    return (
      <>
        {own.brand !== null && !own.shown && <Banner tone="info">{t('brand.notShown')}</Banner>}
        <BrandForm own={own} />
      </>
    );
  }
  return own.brand === null ? (
    <EmptyState className="pt-16" icon={<Palette />} title={t('brand.none')} description={t('brand.byOwner')} />
  ) : (
    <Card title={t('brand.title')} description={t('brand.byOwner')}>
      <BrandLogo brand={own.brand} />
    </Card>
  );
}
