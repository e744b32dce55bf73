import { Info, TriangleAlert, X } from 'lucide-react';
import { useStore } from 'zustand';
import { announcementsStore, announcementText, shownAnnouncements } from '../session/announcements.ts';
import { useNow } from './useNow.ts';
import { Banner } from '../ui/Banner.tsx';
import { PlainIconButton } from '../ui/PlainIconButton.tsx';
import { useTexts } from '../i18n/texts.ts';

/** Operators' announcements, until dismissed or expired. */
export function AnnouncementBanners() {
  const { t, i18n } = useTexts();
  const nowMs = useNow();
  const current = useStore(announcementsStore, (state) => state.current);
  const dismissed = useStore(announcementsStore, (state) => state.dismissed);
  return shownAnnouncements({ current, dismissed }, nowMs).map((one) => (
    <Banner
      key={one.id}
      tone={one.severity}
      icon={one.severity === 'warning' ? <TriangleAlert /> : <Info />}
      dismiss={
        <PlainIconButton
          label={t('common.dismiss')}
          size="small"
          icon={<X />}
          onClick={() => announcementsStore.getState().dismiss(one.id)}
        />
      }
    >
      <span dir="auto" className="wrap-anywhere">
        {announcementText(one, i18n.language)}
      </span>
    </Banner>
  ));
}
