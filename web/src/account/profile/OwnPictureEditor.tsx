import { routes } from '@nolo/api';
import { useTranslation } from 'react-i18next';
import { call } from '../../api/httpClient.ts';
import { refreshSelf, useSelf } from '../../session/self.ts';
import { enProfile } from './enProfile.ts';
import { addWords } from '../../i18n/i18n.ts';
import { PictureEditor } from './PictureEditor.tsx';

/** User's own picture with the camera button that changes it. `name` gives the initial while there is no picture. */
export function OwnPictureEditor({ name }: { name: string }) {
  const { t, i18n } = useTranslation();
  // Needed here too: after the first sign-in, the profile is not loaded yet.
  addWords(i18n, 'profile', enProfile);
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
        failed: t('profile.pictureErrors.update.text'),
      }}
    />
  );
}
