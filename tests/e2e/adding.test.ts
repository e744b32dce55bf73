import { randomUUID } from 'node:crypto';
import { ContactsPage } from './pages/ContactsPage.ts';
import { Toasts } from './pages/Toasts.ts';
import { createCastMember } from './support/cast.ts';
import { journey } from './support/journey.ts';
import { gone, see } from './support/see.ts';
import { en } from './support/words.ts';

const { story, openPage, url } = journey();

story('two people find each other by username and by link, without revealing a number', async () => {
  const [ada, ben] = await Promise.all([createCastMember(url(), 'Ada Adams'), createCastMember(url(), 'Ben Botha')]);
  const username = `ada.${randomUUID().slice(-12)}`;
  const ada1 = await openPage({ as: ada.user, path: '/settings/account' });
  const field = ada1.page.getByRole('textbox', { name: en.profile.username });
  await field.fill(`@${username.toUpperCase()}`);
  await field.press('Enter');
  await new Toasts(ada1.page).expectShown(en.profile.usernameSaved);

  const ben1 = await openPage({ as: ben.user, path: '/contacts', device: 'phone' });
  const ofBen = new ContactsPage(ben1.page);
  await ofBen.addByUsername(username);
  await see(ofBen.row(ada.name));

  await ofBen.openOwnLink();
  await see(ofBen.ownLink.getByRole('img', { name: en.contacts.linkPicture }));
  const { pathname, hash } = new URL(await ofBen.link.inputValue());
  const link = pathname + hash;
  await ada1.go(link);
  const ofAda = new ContactsPage(ada1.page);
  await see(ofAda.dialog.getByText(ben.name));
  await ofAda.submit.click();
  await gone(ofAda.dialog);
  await see(ofAda.row(ben.name));

  // The previous link stops working.
  await ofBen.ownLink.getByRole('button', { name: en.contacts.linkRenew }).click();
  await ben1.page.getByRole('alertdialog').getByRole('button', { name: en.contacts.linkRenew }).click();
  await new Toasts(ben1.page).expectShown(en.contacts.linkRenewed);
  await ada1.go(link);
  await see(ofAda.dialog.getByText(en.contacts.linkGone));
});
