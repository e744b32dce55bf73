package main

import (
	"bytes"
	"crypto/aes"
	"crypto/cipher"
	"crypto/ecdh"
	"crypto/ed25519"
	"crypto/hkdf"
	"crypto/hpke"
	"crypto/sha256"
	"math/big"
	"slices"
)

// The primitives of section 2.

func label(purpose string) []byte { return append([]byte("nolo/1/"+purpose), 0) }

func join(parts ...[]byte) []byte { return slices.Concat(parts...) }

func sha(data []byte) []byte {
	sum := sha256.Sum256(data)
	return sum[:]
}

func hash(purpose string, data []byte) []byte { return sha(join(label(purpose), data)) }

func derive(key, salt []byte, purpose string, context []byte, length int) []byte {
	return must(hkdf.Key(sha256.New, key, salt, string(join(label(purpose), context)), length))
}

func newAEAD(key []byte) cipher.AEAD { return must(cipher.NewGCM(must(aes.NewCipher(key)))) }

func seal(key, nonce, data, plain []byte) []byte { return newAEAD(key).Seal(nil, nonce, plain, data) }

func open(key, nonce, data, sealed []byte) ([]byte, error) {
	plain, err := newAEAD(key).Open(nil, nonce, sealed, data)
	if err != nil {
		return nil, refuse("unopened", "%v", err)
	}
	return plain, nil
}

var (
	fieldPrime = new(big.Int).Sub(new(big.Int).Lsh(big.NewInt(1), 255), big.NewInt(19))
	curveD     = fieldMultiply(big.NewInt(-121665), fieldInverse(big.NewInt(121666)))
)

func fieldMultiply(a, b *big.Int) *big.Int {
	product := new(big.Int).Mul(a, b)
	return product.Mod(product, fieldPrime)
}

func fieldAdd(a, b *big.Int) *big.Int {
	sum := new(big.Int).Add(a, b)
	return sum.Mod(sum, fieldPrime)
}

func fieldInverse(a *big.Int) *big.Int { return new(big.Int).ModInverse(a, fieldPrime) }

// isStrictPoint is true for the canonical encoding of a point of the curve whose order is not small.
func isStrictPoint(encoded []byte) bool {
	bigEndian := slices.Clone(encoded)
	slices.Reverse(bigEndian)
	negative := bigEndian[0]&0x80 != 0
	bigEndian[0] &= 0x7f
	y, one := new(big.Int).SetBytes(bigEndian), big.NewInt(1)
	if y.Cmp(fieldPrime) >= 0 {
		return false
	}
	// x^2 = (y^2 - 1) / (d y^2 + 1)
	square := fieldMultiply(y, y)
	ratio := fieldMultiply(fieldAdd(square, big.NewInt(-1)), fieldInverse(fieldAdd(fieldMultiply(curveD, square), one)))
	x := new(big.Int).ModSqrt(ratio, fieldPrime)
	if x == nil || (x.Sign() == 0 && negative) {
		return false
	}
	// The sign of x does not change the order. Three doublings multiply by the cofactor.
	for range 3 {
		xx, yy, xy := fieldMultiply(x, x), fieldMultiply(y, y), fieldMultiply(x, y)
		product := fieldMultiply(curveD, fieldMultiply(xx, yy))
		x = fieldMultiply(fieldAdd(xy, xy), fieldInverse(fieldAdd(one, product)))
		y = fieldMultiply(fieldAdd(yy, xx), fieldInverse(fieldAdd(one, new(big.Int).Neg(product))))
	}
	return x.Sign() != 0 || y.Cmp(one) != 0
}

// isSignatureValid verifies strictly. Go compares R without the cofactor and refuses S from the order on.
func isSignatureValid(key, message, signature []byte) bool {
	return len(key) == 32 && len(signature) == 64 && isStrictPoint(key) && isStrictPoint(signature[:32]) &&
		ed25519.Verify(key, message, signature)
}

func signingKey(seed []byte) ed25519.PrivateKey { return ed25519.NewKeyFromSeed(seed) }

func publicKey(key ed25519.PrivateKey) []byte { return key.Public().(ed25519.PublicKey) }

// statement is [body, signature].
type statement struct{ body, signature []byte }

func signStatement(kind string, key ed25519.PrivateKey, body any) statement {
	encoded := enc(body)
	return statement{encoded, ed25519.Sign(key, join(label(kind), encoded))}
}

func (s statement) hash(kind string) []byte { return hash(kind, s.body) }

func (s statement) check(kind string, key []byte) error {
	if !isSignatureValid(key, join(label(kind), s.body), s.signature) {
		return refuse("signature", "this %s", kind)
	}
	return nil
}

// fields reads a body with this number of items, the first of which is the version.
func (s statement) fields(count int) *fields {
	body := must(decode(s.body))
	items, ok := body.([]any)
	if !ok || len(items) == 0 {
		panic(malformed("a body that is no array"))
	}
	version, ok := items[0].(uint64)
	if !ok {
		panic(malformed("a version that is no integer"))
	}
	if version != 1 {
		panic(refuse("version", "%d", version))
	}
	read := fieldsOf(body, count)
	read.next()
	return read
}

var keyLengths = map[int]int{1: 32, 2: 1216}

func kemOf(suite int) hpke.KEM {
	if suite == 1 {
		return hpke.DHKEM(ecdh.X25519())
	}
	return hpke.MLKEM768X25519()
}

// boxKey is the key pair of a seed: for X25519 by DeriveKeyPair of RFC 9180; for X-Wing the seed is the private key.
func boxKey(suite int, seed []byte) hpke.PrivateKey {
	if suite == 1 {
		return must(kemOf(1).DeriveKeyPair(seed))
	}
	return must(kemOf(2).NewPrivateKey(seed))
}

func boxInfo(purpose string, of, device []byte) []byte { return join(label(purpose), of, device) }

// box is [device, number, suite, enc, ciphertext].
func box(device []byte, number, suite int, public []byte, purpose string, of, plain []byte) ([]byte, error) {
	key, err := kemOf(suite).NewPublicKey(public)
	if err != nil {
		return nil, malformed("%v", err)
	}
	encapsulated, sender, err := hpke.NewSender(key, hpke.HKDFSHA256(), hpke.AES256GCM(), boxInfo(purpose, of, device))
	if err != nil {
		return nil, malformed("%v", err)
	}
	return enc(array(device, number, suite, encapsulated, must(sender.Seal(nil, plain)))), nil
}

func openBox(sealed, seed []byte, purpose string, of []byte) (plain []byte, err error) {
	defer catch(&err)
	f := fieldsOf(must(decode(sealed)), 5)
	device, _, suite := f.bytes(16), f.uint(integerLimit), f.uint(3)
	encapsulated, ciphertext := f.anyBytes(), f.anyBytes()
	key := boxKey(int(suite), seed)
	info := boxInfo(purpose, of, device)
	recipient, err := hpke.NewRecipient(encapsulated, key, hpke.HKDFSHA256(), hpke.AES256GCM(), info)
	if err != nil {
		return nil, refuse("unopened", "%v", err)
	}
	if plain, err = recipient.Open(nil, ciphertext); err != nil {
		return nil, refuse("unopened", "%v", err)
	}
	return plain, nil
}

func same(a, b []byte) bool { return bytes.Equal(a, b) && (a == nil) == (b == nil) }
