package main

import (
	"bytes"
	"crypto/ed25519"
	"crypto/hpke"
	"crypto/sha512"
	"encoding/binary"
	"fmt"
	"math/big"
	"slices"
	"strings"
)

// Section 3: recovery, the number to compare, and linking.

// toWords writes 32 bytes as the 24 words of BIP 39: each word says 11 bits, the last 8 bits are the start of the hash.
func toWords(seed []byte, list []string) string {
	number := new(big.Int).SetBytes(append(slices.Clone(seed), sha(seed)[0]))
	words := make([]string, 24)
	for at := range words {
		shifted := new(big.Int).Rsh(number, uint(11*(23-at)))
		words[at] = list[shifted.Uint64()&0x7ff]
	}
	return strings.Join(words, " ")
}

func fromWords(text string, list []string) ([]byte, error) {
	words := strings.Split(text, " ")
	if len(words) != 24 {
		return nil, malformed("%d words", len(words))
	}
	number := new(big.Int)
	for _, word := range words {
		at := slices.Index(list, word)
		if at < 0 {
			return nil, malformed("a word that is not in the list")
		}
		number.Or(number.Lsh(number, 11), big.NewInt(int64(at)))
	}
	data := number.FillBytes(make([]byte, 33))
	if data[32] != sha(data[:32])[0] {
		return nil, malformed("another checksum")
	}
	return data[:32], nil
}

type recoverySecrets struct {
	signing       ed25519.PrivateKey
	x25519, xWing hpke.PrivateKey
}

func deriveRecovery(seed, account []byte) recoverySecrets {
	boxSeed := func(suite int) []byte { return derive(seed, account, "recovery/box", enc(array(suite)), 32) }
	return recoverySecrets{
		signing: signingKey(derive(seed, account, "recovery/sign", nil, 32)),
		x25519:  boxKey(1, boxSeed(1)),
		xWing:   boxKey(2, boxSeed(2)),
	}
}

func (r recoverySecrets) listed(account, identity []byte) *recoveryKey {
	key := &recoveryKey{
		signKey: publicKey(r.signing),
		x25519:  r.x25519.PublicKey().Bytes(),
		xWing:   r.xWing.PublicKey().Bytes(),
	}
	key.consent = ed25519.Sign(r.signing, join(label("recovery"), key.consentBody(account, identity)))
	return key
}

func passkeyInput(account []byte) []byte { return join(label("passkey/prf"), account) }

func wrap(seed, prf, account, signKey, nonce []byte) []byte {
	key := derive(prf, nil, "passkey", account, 32)
	return enc(array(1, nonce, seal(key, nonce, enc(array(account, signKey)), seed)))
}

func unwrap(wrapped, prf, account, signKey []byte) (seed []byte, err error) {
	defer catch(&err)
	f := fieldsOf(must(decode(wrapped)), 3)
	f.version()
	nonce, sealed := f.bytes(12), f.bytes(48)
	return open(derive(prf, nil, "passkey", account, 32), nonce, enc(array(account, signKey)), sealed)
}

// pin is (account, identity, n, hash).
type pin struct {
	account, identity []byte
	n                 uint64
	hash              []byte
}

func (p pin) values() []any { return array(p.account, p.identity, p.n, p.hash) }

func (f *fields) pin() pin { return pin{f.bytes(16), f.bytes(32), f.uint(integerLimit), f.bytes(32)} }

// encPin is enc([1, account, identity, n, hash]).
func encPin(p pin) []byte { return enc(append(array(1), p.values()...)) }

func decodePin(encoded []byte) pin {
	f := fieldsOf(must(decode(encoded)), 5)
	f.version()
	return f.pin()
}

func sideDigits(p pin) string {
	d := sha512.Sum512(join(label("number"), enc(array(p.account, p.identity))))
	digits := ""
	for group := range 6 {
		number := binary.BigEndian.Uint64(append(make([]byte, 3), d[5*group:5*group+5]...))
		digits += fmt.Sprintf("%05d", number%100_000)
	}
	return digits
}

func safetyNumber(a, b pin) string {
	if bytes.Compare(a.account, b.account) > 0 {
		a, b = b, a
	}
	return sideDigits(a) + sideDigits(b)
}

func writeVerificationCode(shower, scanner pin) []byte {
	return enc(slices.Concat(array(1), shower.values(), scanner.values()))
}

func readVerificationCode(code []byte) (shower, scanner pin, err error) {
	defer catch(&err)
	f := fieldsOf(must(decode(code)), 9)
	f.version()
	return f.pin(), f.pin(), nil
}

// offer is K.
func offer(id []byte, kind int, signKey []byte, keys statement) []byte {
	return enc(array(1, id, kind, signKey, keys.body, keys.signature))
}

func checkOffer(encoded, account []byte) (err error) {
	defer catch(&err)
	f := fieldsOf(must(decode(encoded)), 6)
	f.version()
	id, _, signKey := f.bytes(16), f.uint(2), f.bytes(32)
	s := statement{f.anyBytes(), f.bytes(64)}
	keys := readBoxKeysStatement(s)
	if !bytes.Equal(keys.account, account) || !bytes.Equal(keys.device, id) || keys.number != 0 {
		return refuse("subject", "an offer of another device")
	}
	if !bytes.Equal(id, deviceID(account, signKey)) {
		return refuse("subject", "an id of another key")
	}
	return s.check("boxkeys", signKey)
}

type linkCode struct{ device, offerHash, secret []byte }

func (c linkCode) write() []byte { return enc(array(1, c.device, c.offerHash, c.secret)) }

func readLinkCode(code []byte) (c linkCode, err error) {
	defer catch(&err)
	f := fieldsOf(must(decode(code)), 4)
	f.version()
	return linkCode{f.bytes(16), f.bytes(32), f.bytes(32)}, nil
}

func (c linkCode) key() []byte { return derive(c.secret, nil, "link", c.device, 32) }

func (c linkCode) answer(p pin, nonce []byte) []byte {
	return enc(array(nonce, seal(c.key(), nonce, c.offerHash, encPin(p))))
}

func (c linkCode) openAnswer(answer []byte) (p pin, err error) {
	defer catch(&err)
	f := fieldsOf(must(decode(answer)), 2)
	nonce, sealed := f.bytes(12), f.anyBytes()
	return decodePin(must(open(c.key(), nonce, c.offerHash, sealed))), nil
}

func commitment(offer, r1 []byte) []byte { return hash("link/commit", enc(array(offer, r1))) }

// linkDigits returns what the new and the old device show.
func linkDigits(offer []byte, p pin, r1, r2 []byte) (shownByNew, shownByOld string) {
	context := sha(enc(array(offer, encPin(p), r1, r2)))
	derived := derive(join(r1, r2), nil, "link/digits", context, 16)
	digits := func(part []byte) string { return fmt.Sprintf("%07d", binary.BigEndian.Uint64(part)%10_000_000) }
	return digits(derived[:8]), digits(derived[8:])
}
