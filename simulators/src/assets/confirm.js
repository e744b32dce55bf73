// The client has proved its identity, so no confirmation is needed. Without scripts, the button remains.
document.getElementById('confirm')?.click();
