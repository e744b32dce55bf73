import { randomPhone } from '@nolo/testing';
import type { Page, Route } from 'playwright-core';
import { ContactsPage } from './pages/ContactsPage.ts';
import { LandingPage } from './pages/LandingPage.ts';
import { NamePage } from './pages/NamePage.ts';
import { PhoneSignInPage } from './pages/PhoneSignInPage.ts';
import { ProfilePage } from './pages/ProfilePage.ts';
import { Toasts } from './pages/Toasts.ts';
import { newcomer } from './support/cast.ts';
import { journey, withoutWorker } from './support/journey.ts';
import { aSmallPicture } from './support/pictures.ts';
import { gone, see, soon } from './support/see.ts';
import { containing, en, words } from './support/words.ts';

const { story, visit, url } = journey(withoutWorker);

interface Refusal {
  status: number;
  code?: string;
  message?: string;
  details?: Record<string, unknown>;
  retryAfterSeconds?: number;
}

/** Answers a route once in the server's stead; without a refusal the request is lost on the way. */
async function once(page: Page, pattern: RegExp, refusal?: Refusal): Promise<void> {
  const answer = async (route: Route): Promise<void> => {
    if (refusal === undefined) return await route.abort('connectionrefused');
    const { status, retryAfterSeconds, code = 'internal_error', message = '', details } = refusal;
    await route.fulfill({
      status,
      contentType: 'application/json',
      headers: retryAfterSeconds === undefined ? {} : { 'retry-after': String(retryAfterSeconds) },
      body: JSON.stringify({ code, message, details }),
    });
  };
  await page.route(pattern, answer, { times: 1 });
}

const verification = en.phoneForm.errors;

/** A title and its text, as they stand beside a field. */
const titled = (title: string, text: string) => words(en.common.titled, { title, text });

story('after five wrong codes only a new one helps, and a number gets three in ten minutes', async () => {
  const { page } = await visit({ path: '/' });
  await new LandingPage(page).getStarted.click();
  const form = new PhoneSignInPage(page);
  const phone = randomPhone();
  await form.askForCode(phone);
  for (let left = 4; left >= 1; left--) {
    await form.code.fill('000000');
    const sentence = left === 1 ? en.refusals.code_wrong_one : en.refusals.code_wrong_other;
    await see(page.getByText(titled(verification.verifyRefused, words(sentence, { count: left }))));
  }
  await form.code.fill('000000');
  await see(page.getByText(titled(verification.verifyRefused, en.refusals.code_exhausted)));
  await form.code.fill(await form.demoCode());
  expect(await form.complete.isDisabled()).toBe(true);
  // Another one can be asked for in a while, and the button counts down to it.
  const [before = ''] = en.phoneForm.resendIn.split('{{');
  await see(page.getByRole('button', { name: new RegExp(`^${before}`) }));
  for (let sends = 1; sends < 3; sends++) {
    await page.request.post('/api/verification/send', { data: { type: 'sms', phoneNumber: phone } });
  }
  await form.back.click();
  await form.continue.click();
  await see(page.getByText(containing(verification.sendRefused)));
  await see(form.number);
});

story('a name is needed, and failing to save it says so', async () => {
  const { page } = await visit({ path: '/' });
  await new LandingPage(page).getStarted.click();
  await new PhoneSignInPage(page).signIn(randomPhone());
  const form = new NamePage(page);
  const toasts = new Toasts(page);
  await form.firstName.fill('  ');
  await form.continue.click();
  await see(page.getByText(en.naming.firstNameRequired));
  await form.firstName.fill('Ada');
  await once(page, /\/api\/profile$/);
  await form.continue.click();
  await toasts.says(en.errors.updateProfile, en.errors.network);
  expect(await form.firstName.inputValue()).toBe('Ada');
  await form.continue.click();
  await gone(form.heading);
});

story('adding a contact says what is wrong in the words of the catalogue', async () => {
  const { user } = await newcomer(url(), 'Ada Adams');
  const { page } = await visit({ as: user, path: '/contacts' });
  const contacts = new ContactsPage(page);
  const toasts = new Toasts(page);
  const refusedWith = async (sentence: string): Promise<void> => {
    await see(contacts.dialog.getByText(sentence, { exact: true }));
    await gone(toasts.shown);
  };
  await see(contacts.emptyTitle);
  await contacts.addContact('  ');
  await refusedWith(en.refusals.phone_number_required);
  await contacts.phoneNumber.fill('12');
  await contacts.submit.click();
  await refusedWith(en.refusals.phone_number_invalid);
  await contacts.phoneNumber.fill(user.phone);
  await contacts.submit.click();
  await refusedWith(en.refusals.contact_is_self);
  await contacts.phoneNumber.fill(randomPhone());
  await once(page, /\/api\/contacts$/, { status: 500 });
  await contacts.submit.click();
  await refusedWith(en.errors.addContact);
  await once(page, /\/api\/contacts$/, { status: 409, code: 'never_heard_of', message: 'Nobody answers there.' });
  await contacts.submit.click();
  await refusedWith('Nobody answers there.');

  // Somebody who is not registered becomes an invitation, shown under their number.
  await contacts.submit.click();
  await see(toasts.shown.getByText(en.contacts.added));
  await see(page.getByText(en.contacts.notRegistered));
});

story('a profile picture has to be one picture of at most 5 MB', async () => {
  const { user } = await newcomer(url(), 'Ada Adams');
  const { page } = await visit({ as: user, path: '/profile' });
  const profile = new ProfilePage(page);
  const toasts = new Toasts(page);
  const dialog = page.getByRole('dialog', { name: en.profile.pictureTitle });
  const use = dialog.getByRole('button', { name: en.profile.usePicture });
  const picture = { name: 'me.png', mimeType: 'image/png', buffer: aSmallPicture() };
  const problems = en.profile.pictureProblems;
  const { uploadAddress, update } = en.profile.pictureErrors;
  await see(profile.heading);

  await profile.picture.setInputFiles({ name: 'large.png', mimeType: 'image/png', buffer: Buffer.alloc(5_242_881) });
  await toasts.says(uploadAddress.title, problems.tooLarge);
  await profile.picture.setInputFiles({ name: 'notes.txt', mimeType: 'text/plain', buffer: Buffer.from('Hello') });
  await toasts.says(uploadAddress.title, problems.notImage);
  // A picture in name only.
  await profile.picture.setInputFiles({ name: 'fake.png', mimeType: 'image/png', buffer: Buffer.from('Hello') });
  await see(dialog.getByText(problems.notImage));
  expect(await use.isDisabled()).toBe(true);
  await dialog.getByRole('button', { name: en.common.cancel }).click();
  await gone(dialog);

  await profile.picture.setInputFiles(picture);
  await once(page, /\/api\/objects\/upload$/, { status: 500 });
  await use.click();
  await toasts.says(uploadAddress.title, uploadAddress.text);
  await once(page, /\/api\/profile\/image$/);
  await use.click();
  await toasts.says(update.title, update.text);
  await use.click();
  await toasts.says(en.profile.updated);
  await gone(dialog);
  const shown = page.getByRole('main').locator('img[src*="/objects/"]');
  await see(shown);
  await soon(async () => {
    expect(await shown.first().evaluate((image: { naturalWidth: number }) => image.naturalWidth)).toBeGreaterThan(0);
  });

  // And it can be taken away again.
  await page.getByRole('button', { name: en.profile.changePicture }).click();
  await page.getByRole('menuitem', { name: en.profile.removePicture }).click();
  await toasts.says(en.profile.updated);
  await gone(shown);
});

story('changing the profile shows at once and is taken back where it is refused', async () => {
  const { user } = await newcomer(url(), 'Ada Adams');
  const { page } = await visit({ as: user, path: '/profile' });
  const profile = new ProfilePage(page);
  const toasts = new Toasts(page);
  const status = page.getByRole('textbox', { name: en.profile.statusMessage });
  const save = page.locator('form').filter({ has: status }).getByRole('button', { name: en.common.save });
  await see(profile.heading);
  expect(await save.isDisabled()).toBe(true);
  await status.fill('On the hill');
  await once(page, /\/api\/profile$/, { status: 500 });
  await save.click();
  await toasts.says(en.errors.updateProfile, en.errors.unexpected);
  expect(await status.inputValue()).toBe('On the hill');
  await save.click();
  await toasts.says(en.profile.updated);
  await see(page.getByText('On the hill').first());
  await once(page, /\/api\/profile\/privacy$/);
  expect(await profile.receipts.isChecked()).toBe(true);
  await profile.receipts.click();
  await toasts.says(en.errors.updateProfile, en.errors.network);
  await soon(async () => expect(await profile.receipts.isChecked()).toBe(true));
});
