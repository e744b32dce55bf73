/**
 * The first date that a browser puts into words has it look through all its languages, some 20 ms on a fast processor, and
 * what it finds is there for all threads of the page: this one does it where nobody is kept from anything, and says so.
 */
Intl.DateTimeFormat();
postMessage(null);
close();
