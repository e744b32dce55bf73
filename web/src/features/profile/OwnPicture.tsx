import { routes } from '@nolo/api';
import { useTranslation } from 'react-i18next';
import { call } from '../../api/httpClient.ts';
import { refreshSelf, useSelf } from '../../app/self.ts';
import { PictureEditor } from './PictureEditor.tsx';

/** One's own picture with the camera button that changes it. `name` gives the initial while there is none. */
export function OwnPicture({ name }: { name: string }) {
  const { t } = useTranslation();
  const { profileImageUrl } = useSelf();
  return (
    <PictureEditor
      name={name}
      imageUrl={profileImageUrl}
      changeLabel={t('profile.changePicture')}
      title={t('profile.pictureTitle')}
      target={{
        purpose: 'profile_image',
        put: async (profileImageURL, signal) => {
          await call(routes.setProfileImage, { body: { profileImageURL }, signal });
          await refreshSelf();
        },
        remove: async () => {
          await call(routes.removeProfileImage);
          await refreshSelf();
        },
        done: t('profile.updated'),
        failed: t('errors.profilePicture.update.text'),
      }}
    />
  );
}
