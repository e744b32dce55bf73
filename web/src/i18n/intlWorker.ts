/**
 * The first date that a browser puts into words has it look through all its languages, some 20 ms on a fast processor, and
 * so has the first name of a country. What it finds is there for all threads of the page: this one does it where nobody is
 * kept from anything, and says so.
 */
onmessage = ({ data }: MessageEvent<unknown>) => {
  if (data === 'countries') {
    new Intl.DisplayNames('en', { type: 'region' });
    Intl.Collator();
  } else Intl.DateTimeFormat();
  postMessage(null);
  close();
};
