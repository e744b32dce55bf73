package main

import (
	"bytes"
	"crypto/ed25519"
	"slices"
)

// Section 3: device lists and box keys.

var recoverySigner = make([]byte, 16)

type device struct {
	id        []byte
	kind      uint64
	signKey   []byte
	addedBy   []byte
	seniority uint64
}

func (d device) mayList() bool { return d.kind < 2 }

func (d device) equals(other device) bool {
	return same(d.id, other.id) && d.kind == other.kind && same(d.signKey, other.signKey) &&
		same(d.addedBy, other.addedBy) && d.seniority == other.seniority
}

type recoveryKey struct{ signKey, x25519, xWing, consent []byte }

func (r *recoveryKey) equals(other *recoveryKey) bool {
	if r == nil || other == nil {
		return r == other
	}
	return same(r.signKey, other.signKey) && same(r.x25519, other.x25519) && same(r.xWing, other.xWing) &&
		same(r.consent, other.consent)
}

func boxKeysValue(x25519, xWing []byte) any { return array(array(1, x25519), array(2, xWing)) }

func (r *recoveryKey) consentBody(account, identity []byte) []byte {
	return enc(array(1, account, identity, r.signKey, boxKeysValue(r.x25519, r.xWing)))
}

func (r *recoveryKey) value() any {
	if r == nil {
		return nil
	}
	return array(r.signKey, boxKeysValue(r.x25519, r.xWing), r.consent)
}

type list struct {
	account  []byte
	n        uint64
	previous []byte
	devices  []device
	next     uint64
	recovery *recoveryKey
	signer   []byte
	at       uint64

	hash, identity []byte
}

func (l *list) find(id []byte) *device {
	for at := range l.devices {
		if bytes.Equal(l.devices[at].id, id) {
			return &l.devices[at]
		}
	}
	return nil
}

func orNull(data []byte) any {
	if data == nil {
		return nil
	}
	return data
}

func (l *list) sign(key ed25519.PrivateKey) statement {
	devices := []any{}
	for _, d := range l.devices {
		devices = append(devices, array(d.id, d.kind, d.signKey, orNull(d.addedBy), d.seniority))
	}
	return signStatement("list", key, array(1, l.account, l.n, orNull(l.previous), devices, l.next, l.recovery.value(),
		l.signer, l.at))
}

func readBoxKeys(value any) (x25519, xWing []byte) {
	both := fieldsOf(value, 2)
	read := func(suite int) []byte {
		f := fieldsOf(both.next(), 2)
		if f.uint(3) != uint64(suite) {
			panic(malformed("box keys in another order"))
		}
		return f.bytes(keyLengths[suite])
	}
	return read(1), read(2)
}

func readList(s statement) *list {
	f := s.fields(9)
	l := &list{account: f.bytes(16), n: f.uint(integerLimit), previous: f.bytesOrNull(32)}
	devices, ok := f.next().([]any)
	if !ok || len(devices) > 32 {
		panic(malformed("not at most 32 devices"))
	}
	for _, one := range devices {
		d := fieldsOf(one, 5)
		l.devices = append(l.devices, device{d.bytes(16), d.uint(3), d.bytes(32), d.bytesOrNull(16), d.uint(integerLimit)})
	}
	l.next = f.uint(integerLimit)
	if recovery := f.next(); recovery != nil {
		r := fieldsOf(recovery, 3)
		l.recovery = &recoveryKey{signKey: r.bytes(32)}
		l.recovery.x25519, l.recovery.xWing = readBoxKeys(r.next())
		l.recovery.consent = r.bytes(64)
	}
	l.signer, l.at = f.bytes(16), f.uint(integerLimit)
	l.hash = s.hash("list")
	return l
}

// deviceID returns the id of a device with this key: a UUID of version 8.
func deviceID(account, signKey []byte) []byte {
	id := hash("device", enc(array(account, signKey)))[:16]
	id[6] = id[6]&0x0f | 0x80
	id[8] = id[8]&0x3f | 0x80
	return id
}

// checkForm decides about one list alone: ascending seniorities below `next`, ids of their keys, and no key twice.
func (l *list) checkForm() error {
	keys := [][]byte{}
	if l.recovery != nil {
		keys = append(keys, l.recovery.signKey)
	}
	for at, d := range l.devices {
		if at > 0 && d.seniority <= l.devices[at-1].seniority || d.seniority >= l.next {
			return refuse("order", "seniorities that do not ascend")
		}
		if !bytes.Equal(d.id, deviceID(l.account, d.signKey)) {
			return refuse("order", "an id of another key")
		}
		if slices.ContainsFunc(keys, func(key []byte) bool { return bytes.Equal(key, d.signKey) }) {
			return refuse("order", "a key twice")
		}
		keys = append(keys, d.signKey)
	}
	return nil
}

func checkFirst(s statement) (l *list, err error) {
	defer catch(&err)
	l = readList(s)
	if l.n != 0 || l.previous != nil || l.next != 1 || l.recovery != nil || len(l.devices) != 1 {
		return nil, refuse("order", "not a first list")
	}
	only := l.devices[0]
	if !only.mayList() || only.seniority != 0 || only.addedBy != nil || !bytes.Equal(l.signer, only.id) {
		return nil, refuse("order", "not a first device")
	}
	if err := l.checkForm(); err != nil {
		return nil, err
	}
	l.identity = l.hash
	return l, s.check("list", only.signKey)
}

// checkNext applies the rules 1 to 5.
func (before *list) checkNext(s statement) (after *list, err error) {
	defer catch(&err)
	after = readList(s)
	after.identity = before.identity
	if !bytes.Equal(after.account, before.account) {
		return nil, refuse("subject", "another account")
	}
	if after.n != before.n+1 || !same(after.previous, before.hash) {
		return nil, refuse("order", "not after this list")
	}
	byRecovery := bytes.Equal(after.signer, recoverySigner)
	signer := before.find(after.signer)
	var key []byte
	switch {
	case byRecovery && before.recovery != nil:
		key = before.recovery.signKey
	case !byRecovery && signer != nil && signer.mayList():
		key = signer.signKey
	default:
		return nil, refuse("order", "a signer without a right to")
	}
	if err := s.check("list", key); err != nil {
		return nil, err
	}
	if err := after.checkForm(); err != nil {
		return nil, err
	}
	if err := before.checkAdditions(after); err != nil {
		return nil, err
	}
	if !byRecovery {
		for _, old := range before.devices {
			if after.find(old.id) == nil && old.seniority < signer.seniority {
				return nil, refuse("order", "a removed device that is more senior")
			}
		}
	}
	if err := before.checkRecovery(after, byRecovery); err != nil {
		return nil, err
	}
	if after.recovery == nil && !slices.ContainsFunc(after.devices, device.mayList) {
		return nil, refuse("order", "nobody remains")
	}
	sameDevices := slices.EqualFunc(before.devices, after.devices, device.equals)
	if sameDevices && before.recovery.equals(after.recovery) {
		return nil, refuse("order", "nothing changes")
	}
	return after, nil
}

// checkAdditions applies rule 2.
func (before *list) checkAdditions(after *list) error {
	next := before.next
	for _, d := range after.devices {
		if old := before.find(d.id); old != nil {
			if !old.equals(d) {
				return refuse("order", "a changed entry")
			}
			continue
		}
		if d.seniority != next || !same(d.addedBy, after.signer) {
			return refuse("order", "an addition with another seniority or adder")
		}
		next++
		for _, old := range before.devices {
			if bytes.Equal(old.signKey, d.signKey) {
				return refuse("order", "an addition with a known key")
			}
		}
		if before.recovery != nil && bytes.Equal(before.recovery.signKey, d.signKey) {
			return refuse("order", "an addition with the recovery key")
		}
	}
	if after.next != next {
		return refuse("order", "another next seniority")
	}
	return nil
}

// checkRecovery applies rule 4.
func (before *list) checkRecovery(after *list, byRecovery bool) error {
	if before.recovery.equals(after.recovery) {
		return nil
	}
	if after.recovery == nil {
		return refuse("order", "a recovery key that was removed")
	}
	senior := slices.IndexFunc(before.devices, device.mayList)
	bySenior := senior >= 0 && bytes.Equal(before.devices[senior].id, after.signer)
	if !byRecovery && (before.recovery != nil || !bySenior) {
		return refuse("order", "a recovery key by somebody else")
	}
	r := after.recovery
	consent := statement{r.consentBody(after.account, after.identity), r.consent}
	if consent.check("recovery", r.signKey) != nil {
		return refuse("order", "a recovery key without consent")
	}
	return nil
}

type boxKeys struct {
	account, device []byte
	number          uint64
	x25519, xWing   []byte
	at              uint64
}

func readBoxKeysStatement(s statement) boxKeys {
	f := s.fields(6)
	b := boxKeys{account: f.bytes(16), device: f.bytes(16), number: f.uint(integerLimit)}
	b.x25519, b.xWing = readBoxKeys(f.next())
	b.at = f.uint(integerLimit)
	return b
}

func (b boxKeys) sign(key ed25519.PrivateKey) statement {
	return signStatement("boxkeys", key, array(1, b.account, b.device, b.number, boxKeysValue(b.x25519, b.xWing), b.at))
}

// checkBoxKeys checks the box keys of a listed device against those seen before, if any.
func (l *list) checkBoxKeys(s statement, of []byte, seenNumber uint64, seenBody []byte) (err error) {
	defer catch(&err)
	b := readBoxKeysStatement(s)
	listed := l.find(of)
	if listed == nil || !bytes.Equal(b.account, l.account) || !bytes.Equal(b.device, of) {
		return refuse("subject", "another device")
	}
	if err := s.check("boxkeys", listed.signKey); err != nil {
		return err
	}
	if seenBody != nil && b.number < seenNumber {
		return refuse("old", "a lower number")
	}
	if seenBody != nil && b.number == seenNumber && !bytes.Equal(seenBody, s.body) {
		return refuse("fork", "two with one number")
	}
	return nil
}
