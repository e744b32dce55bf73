package main

import (
	"crypto/ed25519"
	"crypto/rand"
)

// What this implementation makes for the first to read: a chain of lists with all kinds of signers, box keys, boxes to
// keys of the vectors, and linking, from random keys.

type replyStatement struct {
	Body      hexBytes `json:"body"`
	Signature hexBytes `json:"signature"`
}

func (s statement) reply() replyStatement { return replyStatement{s.body, s.signature} }

type replyBox struct {
	Seed    hexBytes `json:"seed"`
	Purpose string   `json:"purpose"`
	Hash    hexBytes `json:"hash"`
	Box     hexBytes `json:"box"`
	Plain   hexBytes `json:"plain"`
}

type reply struct {
	Passed   int      `json:"passed"`
	Failures []string `json:"failures"`

	Lists    []replyStatement `json:"lists"`
	Newest   jsonPin          `json:"newest"`
	Device   hexBytes         `json:"device"`
	BoxKeys  replyStatement   `json:"boxKeys"`
	Boxes    []replyBox       `json:"boxes"`
	Words    string           `json:"words"`
	Wrapped  hexBytes         `json:"wrapped"`
	Prf      hexBytes         `json:"prf"`
	SignKey  hexBytes         `json:"signKey"`
	Offer    hexBytes         `json:"offer"`
	Code     hexBytes         `json:"code"`
	Answer   hexBytes         `json:"answer"`
	Random   [2]hexBytes      `json:"random"`
	Digits   [2]string        `json:"digits"`
	Commit   hexBytes         `json:"commit"`
	Other    jsonPin          `json:"other"`
	Number   string           `json:"number"`
	Verified hexBytes         `json:"verified"`
}

func random(length int) []byte {
	data := make([]byte, length)
	must(rand.Read(data))
	return data
}

const at = 1_793_232_000_000

func newDevice(account []byte, kind uint64, key ed25519.PrivateKey) device {
	signKey := publicKey(key)
	return device{id: deviceID(account, signKey), kind: kind, signKey: signKey}
}

// follow returns the list that this signer makes after a list, with these devices added.
func (l *list) follow(signer []byte, add ...device) *list {
	after := &list{account: l.account, n: l.n + 1, previous: l.hash, next: l.next, recovery: l.recovery, signer: signer, at: at}
	after.devices = append(after.devices, l.devices...)
	for _, d := range add {
		d.addedBy, d.seniority = signer, after.next
		after.devices = append(after.devices, d)
		after.next++
	}
	return after
}

func (l *list) pin() pin { return pin{l.account, l.identity, l.n, l.hash} }

func createReply(v *vectorFile, words []string) *reply {
	r := &reply{}
	account := random(16)
	laptopKey, phoneKey := signingKey(random(32)), signingKey(random(32))
	laptop := newDevice(account, 0, laptopKey)
	phone := newDevice(account, 1, phoneKey)
	token := newDevice(account, 2, signingKey(random(32)))
	seed := random(32)
	recovery := deriveRecovery(seed, account)

	newest := &list{account: account, devices: []device{laptop}, next: 1, signer: laptop.id, at: at}
	take := func(s statement, first bool) {
		r.Lists = append(r.Lists, s.reply())
		if first {
			newest = must(checkFirst(s))
		} else {
			newest = must(newest.checkNext(s))
		}
	}
	take(newest.sign(laptopKey), true)
	take(newest.follow(laptop.id, phone, token).sign(laptopKey), false)
	covered := newest.follow(laptop.id)
	covered.recovery = recovery.listed(account, newest.identity)
	take(covered.sign(laptopKey), false)
	recovered := newest.follow(recoverySigner, newDevice(account, 0, signingKey(random(32))))
	recovered.devices = recovered.devices[1:]
	take(recovered.sign(recovery.signing), false)
	r.Newest = toJSONPin(newest.pin())

	keys := boxKeys{account: account, device: phone.id, number: 5, at: at}
	keys.x25519, keys.xWing = boxKey(1, random(32)).PublicKey().Bytes(), boxKey(2, random(32)).PublicKey().Bytes()
	r.Device, r.BoxKeys = phone.id, keys.sign(phoneKey).reply()

	for _, one := range v.Seeds {
		b := replyBox{Seed: one.Seed, Purpose: "answer", Hash: newest.hash, Plain: random(32)}
		b.Box = must(box(phone.id, 5, one.Suite, one.Key, b.Purpose, b.Hash, b.Plain))
		r.Boxes = append(r.Boxes, b)
	}

	r.Words, r.Prf, r.SignKey = toWords(seed, words), random(32), publicKey(recovery.signing)
	r.Wrapped = wrap(seed, r.Prf, account, r.SignKey, random(12))

	keys.number = 0
	r.Offer = offer(phone.id, 1, phone.signKey, keys.sign(phoneKey))
	code := linkCode{phone.id, sha(r.Offer), random(32)}
	r.Code, r.Answer = code.write(), code.answer(newest.pin(), random(12))
	r.Random = [2]hexBytes{random(32), random(32)}
	r.Digits[0], r.Digits[1] = linkDigits(r.Offer, newest.pin(), r.Random[0], r.Random[1])
	r.Commit = commitment(r.Offer, r.Random[0])

	r.Other = v.Numbers.Numbers[0].B
	r.Number = safetyNumber(newest.pin(), r.Other.pin())
	r.Verified = writeVerificationCode(newest.pin(), r.Other.pin())
	return r
}
