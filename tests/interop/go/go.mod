module nolo/interop

go 1.26
